document.title = 'Classroom';
