/** The information of a single packet about its frame, as bits: no packet allocates. */

/** The payload starts the frame. */
export const STARTS_FRAME = 1;
/** The frame is a keyframe. Later packets of a keyframe may lack this bit. */
export const IS_KEYFRAME = 2;
/** The packet is not a payload of the codec. */
export const MALFORMED = 4;
