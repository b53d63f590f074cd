/** Invented names of participants. */
export const NAMES = [
  'Ada Lindqvist',
  'Tomás Herrera',
  'Mei Tanaka',
  'Olu Adeyemi',
  'Clara Weiss',
  'Jonas Brandt',
  'Priya Raman',
  'Leïla Haddad',
  'Noah Fischer',
  'Sofia Rossi',
  'Emre Yılmaz',
  'Hannah Schulz',
  'Lucas Moreau',
  'Zoë van Dijk',
  'Kofi Mensah',
  'Marta Kowalska',
  'Ivan Petrov',
  'Yuna Park',
  'Felix Wagner',
  'Amara Okafor',
  'Diego Santos',
  'Nora Eriksen',
  'Samir Khan',
  'Julia Novak',
  'Paul Becker',
  'Aisha Bello',
  'Theo Martin',
  'Lina Hoffmann',
  'Ravi Gupta',
  'Eva Horváth',
  'Max Keller',
  'Ines Duarte',
];

/** A uid of ASCII letters from a name. */
export const uidOf = (name: string) =>
  name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replaceAll(' ', '.');
