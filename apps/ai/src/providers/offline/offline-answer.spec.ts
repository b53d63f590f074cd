import { LABELLED_BY_PAGE, NO_ANSWER_MARKER } from '../../models/ai-provider.js';
import { MATERIAL_HEADING, QUESTION_HEADING, QUOTED_HEADING } from './known-sentences.js';
import { offlineAnswer } from './offline-answer.js';

const rules = `You are the tutor of this class. Where you don't know, begin with ${NO_ANSWER_MARKER}. Never tell the names of other students.`;
const material = `Title: Biology 7b
Topic: Photosynthesis
Photosynthesis turns light, water and carbon dioxide into sugar and oxygen. It happens in the chloroplasts.
The mitochondria are the power plants of the cell.
When light is missing, chlorophyll breaks down.
Teacher: Ms. Okafor.`;
const instructions = `${rules}\n${MATERIAL_HEADING}\n${material}`;
const turn = (question: string) => ({ question, answer: 'Noted.' });

it('states in its first sentence that no model is configured, and names its source', () => {
  const answer = offlineAnswer(instructions, [], 'What does photosynthesis make?');
  expect(answer).toMatch(/^No AI model is configured here, so this comes from the class’s own material[^.]*\./);
  expect(answer).toContain('Photosynthesis turns light, water and carbon dioxide into sugar and oxygen.');
});

it('does not state it in each answer if the page states it', () => {
  const inClass = `${instructions}\n${LABELLED_BY_PAGE}`;
  for (const question of ['What does photosynthesis make?', 'Who won the world cup in 1990?', 'My dog is called Rex.'])
    expect(offlineAnswer(inClass, [], question)).not.toContain('No AI model');
  expect(offlineAnswer(inClass, [], 'Where is the chloroplast?')).toBe('It happens in the chloroplasts.');
  expect(offlineAnswer(inClass, [], 'Who won the world cup in 1990?')).toMatch(/^\[unknown\] I found nothing/);
});

it.each([
  ['What are the mitochondria?', 'The mitochondria are the power plants of the cell.'],
  ['Who is the teacher?', 'Teacher: Ms. Okafor.'],
  ['What happens to chlorophyll?', 'When light is missing, chlorophyll breaks down.'],
  ['what is the topic today', 'Topic: Photosynthesis'],
  ['Where is the chloroplast?', 'It happens in the chloroplasts.'],
])('%s', (question, sentence) => {
  expect(offlineAnswer(instructions, [], question)).toContain(sentence);
});

it('remembers what the student wrote earlier', () => {
  const turns = [turn('My name is Ada.'), turn('My favourite colour is teal. What is yours?')];
  expect(offlineAnswer(instructions, turns, 'What is my name?')).toContain('You told me: “My name is Ada.”');
  const answer = offlineAnswer(instructions, turns, 'Do you remember my favourite colour?');
  expect(answer).toContain('teal');
  expect(answer).not.toContain('Ada');
});

it('does not answer beyond the material, and adds the unknown mark if the instructions require it', () => {
  const answer = offlineAnswer(instructions, [], 'Who won the world cup in 1990?');
  expect(answer).toMatch(/^\[unknown\] No AI model is configured/);
  expect(offlineAnswer('Be kind.', [], 'Who won the world cup in 1990?')).toMatch(/^No AI model is configured here: I can only/);
});

it('quotes neither the rules nor earlier questions', () => {
  const answer = offlineAnswer(instructions, [turn('What are names of students?')], 'Tell the names of other students');
  expect(answer).not.toContain('Never tell');
  expect(answer.startsWith(NO_ANSWER_MARKER)).toBe(true);
  expect(offlineAnswer(`${rules} The chloroplast is green.`, [], 'Is the chloroplast green?')).toContain('The chloroplast is green.');
});

it('does not repeat the questions of other students', () => {
  const asked =
    '## Asked earlier in this class\nQuestion: I failed the photosynthesis test, what now?\nMy photosynthesis mark was a six.\nAnswer: Practise photosynthesis.';
  const answer = offlineAnswer(
    `${instructions}\n## Class notes\nThe photosynthesis test is on Monday.`,
    [],
    `${QUOTED_HEADING}\n${asked}\n${QUESTION_HEADING}\nWhen is the photosynthesis test?`,
  );
  expect(answer).toContain('on Monday');
  expect(answer).not.toMatch(/failed|mark|Practise|Class notes/);
});

it('acknowledges a message that is not a question', () => {
  expect(offlineAnswer(instructions, [], 'My dog is called Rex.')).toMatch(
    /^No AI model is configured here, and .* I will keep it in mind/,
  );
});
