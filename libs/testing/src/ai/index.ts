export { tokensOf, type ModelBehaviour, type RecordedFile, type RecordedRequest, type ModelScript } from './behaviour.js';
export { RecordedOpenAi } from './recorded-openai.js';
