/** The vocabulary of the link between control plane and agent: its messages, and the words in them. */
export {
  CAUSES,
  type Cause,
  causeOfInviteResponse,
  causeOfOptionsResponse,
  causeOfRegisterResponse,
  isCause,
  partyAtFault,
} from './causes.ts';
export { type FactsLimits, type SurveyedAllocation, surveyFacts, withoutAllocations } from './facts-survey.ts';
export {
  FAULT_KINDS,
  type FaultKind,
  FINDING_KINDS,
  FINDINGS,
  type FindingKind,
  isFault,
  isFindingKind,
  partyOfFinding,
} from './findings.ts';
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
} from './frame.ts';
export { carillon as wire } from './gen/link.js';
export { q850Name } from './q850.ts';
