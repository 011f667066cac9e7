/** What a single packet says about its frame, as bits: no allocation per packet. */

/** Its payload starts the frame. */
export const STARTS_FRAME = 1;
/** The frame is a keyframe. Later packets of a keyframe may lack this. */
export const IS_KEYFRAME = 2;
/** It is not a payload of the codec. */
export const MALFORMED = 4;
