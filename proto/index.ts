/** The vocabulary of the link between control plane and agent: its messages, and the words in them. */

export { carillon as wire } from './gen/link.js';
export { type FactsLimits, type SurveyedAllocation, surveyFacts, withoutAllocations } from './wire/facts-survey.ts';
export {
  batchOf,
  compressed,
  decodeAgentFrame,
  decodeControlFrame,
  decodeFacts,
  encodeAgentFrame,
  encodeControlFrame,
  encodeFacts,
  FrameError,
  factsBytes,
  MAX_FRAME_BYTES,
  MEDIA_CHUNK_BYTES,
  PROTOCOL,
  readFacts,
  signedChallenge,
  signedKeyChange,
  unpackFacts,
} from './wire/frame.ts';
export {
  CAUSES,
  type Cause,
  causeOfInviteResponse,
  causeOfOptionsResponse,
  causeOfRegisterResponse,
  isCause,
  partyAtFault,
} from './words/causes.ts';
export {
  FAULT_KINDS,
  type FaultKind,
  FINDING_KINDS,
  FINDINGS,
  type FindingKind,
  isFault,
  isFindingKind,
  partyOfFinding,
} from './words/findings.ts';
export { q850Name } from './words/q850.ts';
