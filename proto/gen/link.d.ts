import * as $protobuf from "protobufjs/minimal.js";
import Long = require("long");

/** Namespace carillon. */
export namespace carillon {

    /** Namespace agent. */
    namespace agent {

        /** Namespace v1. */
        namespace v1 {

            /**
             * Properties of an AgentFrame.
             * @deprecated Use carillon.agent.v1.AgentFrame.$Properties instead.
             */
            interface IAgentFrame extends carillon.agent.v1.AgentFrame.$Properties {
            }

            /** Represents an AgentFrame. */
            class AgentFrame {

                /**
                 * Constructs a new AgentFrame.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.AgentFrame.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** AgentFrame hello. */
                hello?: (carillon.agent.v1.Hello.$Properties|null);

                /** AgentFrame batch. */
                batch?: (carillon.agent.v1.Batch.$Properties|null);

                /** AgentFrame commandReceipt. */
                commandReceipt?: (carillon.agent.v1.CommandReceipt.$Properties|null);

                /** AgentFrame beat. */
                beat?: (carillon.agent.v1.Beat.$Properties|null);

                /** AgentFrame mediaRequest. */
                mediaRequest?: (carillon.agent.v1.MediaRequest.$Properties|null);

                /** AgentFrame policy. */
                policy?: (carillon.agent.v1.PolicyDigest.$Properties|null);

                /** AgentFrame keyChange. */
                keyChange?: (carillon.agent.v1.KeyChange.$Properties|null);

                /** AgentFrame storageFault. */
                storageFault?: (carillon.agent.v1.StorageFault.$Properties|null);

                /** AgentFrame leaving. */
                leaving?: (carillon.agent.v1.Leaving.$Properties|null);

                /** AgentFrame body. */
                body?: ("hello"|"batch"|"commandReceipt"|"beat"|"mediaRequest"|"policy"|"keyChange"|"storageFault"|"leaving");

                /**
                 * Encodes the specified AgentFrame message. Does not implicitly {@link carillon.agent.v1.AgentFrame.verify|verify} messages.
                 * @param message AgentFrame message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.AgentFrame.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes an AgentFrame message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.AgentFrame & carillon.agent.v1.AgentFrame.$Shape} AgentFrame
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.AgentFrame & carillon.agent.v1.AgentFrame.$Shape;
            }

            namespace AgentFrame {

                /** Properties of an AgentFrame. */
                interface $Properties {

                    /** AgentFrame hello */
                    hello?: (carillon.agent.v1.Hello.$Properties|null);

                    /** AgentFrame batch */
                    batch?: (carillon.agent.v1.Batch.$Properties|null);

                    /** AgentFrame commandReceipt */
                    commandReceipt?: (carillon.agent.v1.CommandReceipt.$Properties|null);

                    /** AgentFrame beat */
                    beat?: (carillon.agent.v1.Beat.$Properties|null);

                    /** AgentFrame mediaRequest */
                    mediaRequest?: (carillon.agent.v1.MediaRequest.$Properties|null);

                    /** AgentFrame policy */
                    policy?: (carillon.agent.v1.PolicyDigest.$Properties|null);

                    /** AgentFrame keyChange */
                    keyChange?: (carillon.agent.v1.KeyChange.$Properties|null);

                    /** AgentFrame storageFault */
                    storageFault?: (carillon.agent.v1.StorageFault.$Properties|null);

                    /** AgentFrame leaving */
                    leaving?: (carillon.agent.v1.Leaving.$Properties|null);

                    /** AgentFrame body */
                    body?: ("hello"|"batch"|"commandReceipt"|"beat"|"mediaRequest"|"policy"|"keyChange"|"storageFault"|"leaving");

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Narrowed shape of an AgentFrame. */
                type $Shape = {
                  hello?: carillon.agent.v1.Hello.$Shape|null;
                  batch?: carillon.agent.v1.Batch.$Shape|null;
                  commandReceipt?: carillon.agent.v1.CommandReceipt.$Shape|null;
                  beat?: carillon.agent.v1.Beat.$Shape|null;
                  mediaRequest?: carillon.agent.v1.MediaRequest.$Shape|null;
                  policy?: carillon.agent.v1.PolicyDigest.$Shape|null;
                  keyChange?: carillon.agent.v1.KeyChange.$Shape|null;
                  storageFault?: carillon.agent.v1.StorageFault.$Shape|null;
                  leaving?: carillon.agent.v1.Leaving.$Shape|null;
                  $unknowns?: Uint8Array[];
                } & (
                  ({ body?: undefined; hello?: null; batch?: null; commandReceipt?: null; beat?: null; mediaRequest?: null; policy?: null; keyChange?: null; storageFault?: null; leaving?: null }|{ body?: "hello"; hello: carillon.agent.v1.Hello.$Shape; batch?: null; commandReceipt?: null; beat?: null; mediaRequest?: null; policy?: null; keyChange?: null; storageFault?: null; leaving?: null }|{ body?: "batch"; hello?: null; batch: carillon.agent.v1.Batch.$Shape; commandReceipt?: null; beat?: null; mediaRequest?: null; policy?: null; keyChange?: null; storageFault?: null; leaving?: null }|{ body?: "commandReceipt"; hello?: null; batch?: null; commandReceipt: carillon.agent.v1.CommandReceipt.$Shape; beat?: null; mediaRequest?: null; policy?: null; keyChange?: null; storageFault?: null; leaving?: null }|{ body?: "beat"; hello?: null; batch?: null; commandReceipt?: null; beat: carillon.agent.v1.Beat.$Shape; mediaRequest?: null; policy?: null; keyChange?: null; storageFault?: null; leaving?: null }|{ body?: "mediaRequest"; hello?: null; batch?: null; commandReceipt?: null; beat?: null; mediaRequest: carillon.agent.v1.MediaRequest.$Shape; policy?: null; keyChange?: null; storageFault?: null; leaving?: null }|{ body?: "policy"; hello?: null; batch?: null; commandReceipt?: null; beat?: null; mediaRequest?: null; policy: carillon.agent.v1.PolicyDigest.$Shape; keyChange?: null; storageFault?: null; leaving?: null }|{ body?: "keyChange"; hello?: null; batch?: null; commandReceipt?: null; beat?: null; mediaRequest?: null; policy?: null; keyChange: carillon.agent.v1.KeyChange.$Shape; storageFault?: null; leaving?: null }|{ body?: "storageFault"; hello?: null; batch?: null; commandReceipt?: null; beat?: null; mediaRequest?: null; policy?: null; keyChange?: null; storageFault: carillon.agent.v1.StorageFault.$Shape; leaving?: null }|{ body?: "leaving"; hello?: null; batch?: null; commandReceipt?: null; beat?: null; mediaRequest?: null; policy?: null; keyChange?: null; storageFault?: null; leaving: carillon.agent.v1.Leaving.$Shape })
                );
            }

            /**
             * Properties of a ControlFrame.
             * @deprecated Use carillon.agent.v1.ControlFrame.$Properties instead.
             */
            interface IControlFrame extends carillon.agent.v1.ControlFrame.$Properties {
            }

            /** Represents a ControlFrame. */
            class ControlFrame {

                /**
                 * Constructs a new ControlFrame.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.ControlFrame.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** ControlFrame challenge. */
                challenge?: (carillon.agent.v1.Challenge.$Properties|null);

                /** ControlFrame welcome. */
                welcome?: (carillon.agent.v1.Welcome.$Properties|null);

                /** ControlFrame farewell. */
                farewell?: (carillon.agent.v1.Farewell.$Properties|null);

                /** ControlFrame batchReceipt. */
                batchReceipt?: (carillon.agent.v1.BatchReceipt.$Properties|null);

                /** ControlFrame command. */
                command?: (carillon.agent.v1.Command.$Properties|null);

                /** ControlFrame beat. */
                beat?: (carillon.agent.v1.Beat.$Properties|null);

                /** ControlFrame mediaChunk. */
                mediaChunk?: (carillon.agent.v1.MediaChunk.$Properties|null);

                /** ControlFrame keyReceipt. */
                keyReceipt?: (carillon.agent.v1.KeyReceipt.$Properties|null);

                /** ControlFrame body. */
                body?: ("challenge"|"welcome"|"farewell"|"batchReceipt"|"command"|"beat"|"mediaChunk"|"keyReceipt");

                /**
                 * Encodes the specified ControlFrame message. Does not implicitly {@link carillon.agent.v1.ControlFrame.verify|verify} messages.
                 * @param message ControlFrame message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.ControlFrame.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a ControlFrame message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.ControlFrame & carillon.agent.v1.ControlFrame.$Shape} ControlFrame
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.ControlFrame & carillon.agent.v1.ControlFrame.$Shape;
            }

            namespace ControlFrame {

                /** Properties of a ControlFrame. */
                interface $Properties {

                    /** ControlFrame challenge */
                    challenge?: (carillon.agent.v1.Challenge.$Properties|null);

                    /** ControlFrame welcome */
                    welcome?: (carillon.agent.v1.Welcome.$Properties|null);

                    /** ControlFrame farewell */
                    farewell?: (carillon.agent.v1.Farewell.$Properties|null);

                    /** ControlFrame batchReceipt */
                    batchReceipt?: (carillon.agent.v1.BatchReceipt.$Properties|null);

                    /** ControlFrame command */
                    command?: (carillon.agent.v1.Command.$Properties|null);

                    /** ControlFrame beat */
                    beat?: (carillon.agent.v1.Beat.$Properties|null);

                    /** ControlFrame mediaChunk */
                    mediaChunk?: (carillon.agent.v1.MediaChunk.$Properties|null);

                    /** ControlFrame keyReceipt */
                    keyReceipt?: (carillon.agent.v1.KeyReceipt.$Properties|null);

                    /** ControlFrame body */
                    body?: ("challenge"|"welcome"|"farewell"|"batchReceipt"|"command"|"beat"|"mediaChunk"|"keyReceipt");

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Narrowed shape of a ControlFrame. */
                type $Shape = {
                  challenge?: carillon.agent.v1.Challenge.$Shape|null;
                  welcome?: carillon.agent.v1.Welcome.$Shape|null;
                  farewell?: carillon.agent.v1.Farewell.$Shape|null;
                  batchReceipt?: carillon.agent.v1.BatchReceipt.$Shape|null;
                  command?: carillon.agent.v1.Command.$Shape|null;
                  beat?: carillon.agent.v1.Beat.$Shape|null;
                  mediaChunk?: carillon.agent.v1.MediaChunk.$Shape|null;
                  keyReceipt?: carillon.agent.v1.KeyReceipt.$Shape|null;
                  $unknowns?: Uint8Array[];
                } & (
                  ({ body?: undefined; challenge?: null; welcome?: null; farewell?: null; batchReceipt?: null; command?: null; beat?: null; mediaChunk?: null; keyReceipt?: null }|{ body?: "challenge"; challenge: carillon.agent.v1.Challenge.$Shape; welcome?: null; farewell?: null; batchReceipt?: null; command?: null; beat?: null; mediaChunk?: null; keyReceipt?: null }|{ body?: "welcome"; challenge?: null; welcome: carillon.agent.v1.Welcome.$Shape; farewell?: null; batchReceipt?: null; command?: null; beat?: null; mediaChunk?: null; keyReceipt?: null }|{ body?: "farewell"; challenge?: null; welcome?: null; farewell: carillon.agent.v1.Farewell.$Shape; batchReceipt?: null; command?: null; beat?: null; mediaChunk?: null; keyReceipt?: null }|{ body?: "batchReceipt"; challenge?: null; welcome?: null; farewell?: null; batchReceipt: carillon.agent.v1.BatchReceipt.$Shape; command?: null; beat?: null; mediaChunk?: null; keyReceipt?: null }|{ body?: "command"; challenge?: null; welcome?: null; farewell?: null; batchReceipt?: null; command: carillon.agent.v1.Command.$Shape; beat?: null; mediaChunk?: null; keyReceipt?: null }|{ body?: "beat"; challenge?: null; welcome?: null; farewell?: null; batchReceipt?: null; command?: null; beat: carillon.agent.v1.Beat.$Shape; mediaChunk?: null; keyReceipt?: null }|{ body?: "mediaChunk"; challenge?: null; welcome?: null; farewell?: null; batchReceipt?: null; command?: null; beat?: null; mediaChunk: carillon.agent.v1.MediaChunk.$Shape; keyReceipt?: null }|{ body?: "keyReceipt"; challenge?: null; welcome?: null; farewell?: null; batchReceipt?: null; command?: null; beat?: null; mediaChunk?: null; keyReceipt: carillon.agent.v1.KeyReceipt.$Shape })
                );
            }

            /**
             * Properties of a Challenge.
             * @deprecated Use carillon.agent.v1.Challenge.$Properties instead.
             */
            interface IChallenge extends carillon.agent.v1.Challenge.$Properties {
            }

            /** Represents a Challenge. */
            class Challenge {

                /**
                 * Constructs a new Challenge.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Challenge.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Challenge nonce. */
                nonce: Uint8Array;

                /** Challenge unixMs. */
                unixMs: number;

                /**
                 * Encodes the specified Challenge message. Does not implicitly {@link carillon.agent.v1.Challenge.verify|verify} messages.
                 * @param message Challenge message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Challenge.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Challenge message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Challenge & carillon.agent.v1.Challenge.$Shape} Challenge
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Challenge & carillon.agent.v1.Challenge.$Shape;
            }

            namespace Challenge {

                /** Properties of a Challenge. */
                interface $Properties {

                    /** Challenge nonce */
                    nonce?: (Uint8Array|null);

                    /** Challenge unixMs */
                    unixMs?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Challenge. */
                type $Shape = carillon.agent.v1.Challenge.$Properties;
            }

            /**
             * Properties of a Hello.
             * @deprecated Use carillon.agent.v1.Hello.$Properties instead.
             */
            interface IHello extends carillon.agent.v1.Hello.$Properties {
            }

            /** Represents a Hello. */
            class Hello {

                /**
                 * Constructs a new Hello.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Hello.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Hello publicKey. */
                publicKey: Uint8Array;

                /** Hello signature. */
                signature: Uint8Array;

                /** Hello joinToken. */
                joinToken: string;

                /** Hello agentVersion. */
                agentVersion: string;

                /** Hello bootId. */
                bootId: Uint8Array;

                /** Hello outboxId. */
                outboxId: Uint8Array;

                /** Hello allocationIds. */
                allocationIds: Uint8Array[];

                /** Hello sipListeners. */
                sipListeners: carillon.agent.v1.SipListener.$Properties[];

                /** Hello sipAdapter. */
                sipAdapter: string;

                /** Hello rtpAdapter. */
                rtpAdapter: string;

                /** Hello rtpPriority. */
                rtpPriority: string;

                /** Hello capacity. */
                capacity: number;

                /** Hello audioCodecs. */
                audioCodecs: string[];

                /** Hello hostname. */
                hostname: string;

                /** Hello cpus. */
                cpus: number;

                /** Hello platform. */
                platform: string;

                /** Hello policy. */
                policy?: (carillon.agent.v1.PolicyDigest.$Properties|null);

                /** Hello videoCodecs. */
                videoCodecs: string[];

                /** Hello encryptions. */
                encryptions: string[];

                /** Hello mediaSources. */
                mediaSources: string[];

                /** Hello srtpCiphers. */
                srtpCiphers: string;

                /** Hello sipAbilities. */
                sipAbilities: string[];

                /** Hello calibration. */
                calibration?: (carillon.agent.v1.Calibration.$Properties|null);

                /** Hello limits. */
                limits?: (carillon.agent.v1.CapacityLimits.$Properties|null);

                /** Hello forgotten. */
                forgotten?: (carillon.agent.v1.ForgottenBatches.$Properties|null);

                /** Hello addresses. */
                addresses: string[];

                /** Hello workerName. */
                workerName: string;

                /** Hello disposable. */
                disposable: boolean;

                /** Hello streamCapacity. */
                streamCapacity: number;

                /**
                 * Encodes the specified Hello message. Does not implicitly {@link carillon.agent.v1.Hello.verify|verify} messages.
                 * @param message Hello message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Hello.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Hello message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Hello & carillon.agent.v1.Hello.$Shape} Hello
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Hello & carillon.agent.v1.Hello.$Shape;
            }

            namespace Hello {

                /** Properties of a Hello. */
                interface $Properties {

                    /** Hello publicKey */
                    publicKey?: (Uint8Array|null);

                    /** Hello signature */
                    signature?: (Uint8Array|null);

                    /** Hello joinToken */
                    joinToken?: (string|null);

                    /** Hello agentVersion */
                    agentVersion?: (string|null);

                    /** Hello bootId */
                    bootId?: (Uint8Array|null);

                    /** Hello outboxId */
                    outboxId?: (Uint8Array|null);

                    /** Hello allocationIds */
                    allocationIds?: (Uint8Array[]|null);

                    /** Hello sipListeners */
                    sipListeners?: (carillon.agent.v1.SipListener.$Properties[]|null);

                    /** Hello sipAdapter */
                    sipAdapter?: (string|null);

                    /** Hello rtpAdapter */
                    rtpAdapter?: (string|null);

                    /** Hello rtpPriority */
                    rtpPriority?: (string|null);

                    /** Hello capacity */
                    capacity?: (number|null);

                    /** Hello audioCodecs */
                    audioCodecs?: (string[]|null);

                    /** Hello hostname */
                    hostname?: (string|null);

                    /** Hello cpus */
                    cpus?: (number|null);

                    /** Hello platform */
                    platform?: (string|null);

                    /** Hello policy */
                    policy?: (carillon.agent.v1.PolicyDigest.$Properties|null);

                    /** Hello videoCodecs */
                    videoCodecs?: (string[]|null);

                    /** Hello encryptions */
                    encryptions?: (string[]|null);

                    /** Hello mediaSources */
                    mediaSources?: (string[]|null);

                    /** Hello srtpCiphers */
                    srtpCiphers?: (string|null);

                    /** Hello sipAbilities */
                    sipAbilities?: (string[]|null);

                    /** Hello calibration */
                    calibration?: (carillon.agent.v1.Calibration.$Properties|null);

                    /** Hello limits */
                    limits?: (carillon.agent.v1.CapacityLimits.$Properties|null);

                    /** Hello forgotten */
                    forgotten?: (carillon.agent.v1.ForgottenBatches.$Properties|null);

                    /** Hello addresses */
                    addresses?: (string[]|null);

                    /** Hello workerName */
                    workerName?: (string|null);

                    /** Hello disposable */
                    disposable?: (boolean|null);

                    /** Hello streamCapacity */
                    streamCapacity?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Hello. */
                type $Shape = carillon.agent.v1.Hello.$Properties;
            }

            /**
             * Properties of a ForgottenBatches.
             * @deprecated Use carillon.agent.v1.ForgottenBatches.$Properties instead.
             */
            interface IForgottenBatches extends carillon.agent.v1.ForgottenBatches.$Properties {
            }

            /** Represents a ForgottenBatches. */
            class ForgottenBatches {

                /**
                 * Constructs a new ForgottenBatches.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.ForgottenBatches.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** ForgottenBatches outboxId. */
                outboxId: Uint8Array;

                /** ForgottenBatches first. */
                first: number;

                /** ForgottenBatches last. */
                last: number;

                /** ForgottenBatches fromUnixMs. */
                fromUnixMs: number;

                /** ForgottenBatches toUnixMs. */
                toUnixMs: number;

                /**
                 * Encodes the specified ForgottenBatches message. Does not implicitly {@link carillon.agent.v1.ForgottenBatches.verify|verify} messages.
                 * @param message ForgottenBatches message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.ForgottenBatches.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a ForgottenBatches message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.ForgottenBatches & carillon.agent.v1.ForgottenBatches.$Shape} ForgottenBatches
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.ForgottenBatches & carillon.agent.v1.ForgottenBatches.$Shape;
            }

            namespace ForgottenBatches {

                /** Properties of a ForgottenBatches. */
                interface $Properties {

                    /** ForgottenBatches outboxId */
                    outboxId?: (Uint8Array|null);

                    /** ForgottenBatches first */
                    first?: (number|null);

                    /** ForgottenBatches last */
                    last?: (number|null);

                    /** ForgottenBatches fromUnixMs */
                    fromUnixMs?: (number|null);

                    /** ForgottenBatches toUnixMs */
                    toUnixMs?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a ForgottenBatches. */
                type $Shape = carillon.agent.v1.ForgottenBatches.$Properties;
            }

            /**
             * Properties of a CapacityLimits.
             * @deprecated Use carillon.agent.v1.CapacityLimits.$Properties instead.
             */
            interface ICapacityLimits extends carillon.agent.v1.CapacityLimits.$Properties {
            }

            /** Represents a CapacityLimits. */
            class CapacityLimits {

                /**
                 * Constructs a new CapacityLimits.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.CapacityLimits.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** CapacityLimits own. */
                own: number;

                /** CapacityLimits openFileStreams. */
                openFileStreams: number;

                /** CapacityLimits portStreams. */
                portStreams: number;

                /**
                 * Encodes the specified CapacityLimits message. Does not implicitly {@link carillon.agent.v1.CapacityLimits.verify|verify} messages.
                 * @param message CapacityLimits message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.CapacityLimits.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a CapacityLimits message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.CapacityLimits & carillon.agent.v1.CapacityLimits.$Shape} CapacityLimits
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.CapacityLimits & carillon.agent.v1.CapacityLimits.$Shape;
            }

            namespace CapacityLimits {

                /** Properties of a CapacityLimits. */
                interface $Properties {

                    /** CapacityLimits own */
                    own?: (number|null);

                    /** CapacityLimits openFileStreams */
                    openFileStreams?: (number|null);

                    /** CapacityLimits portStreams */
                    portStreams?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a CapacityLimits. */
                type $Shape = carillon.agent.v1.CapacityLimits.$Properties;
            }

            /**
             * Properties of a Calibration.
             * @deprecated Use carillon.agent.v1.Calibration.$Properties instead.
             */
            interface ICalibration extends carillon.agent.v1.Calibration.$Properties {
            }

            /** Represents a Calibration. */
            class Calibration {

                /**
                 * Constructs a new Calibration.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Calibration.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Calibration at. */
                at: string;

                /** Calibration build. */
                build: string;

                /** Calibration hardware. */
                hardware: string;

                /** Calibration adapter. */
                adapter: string;

                /** Calibration endpoints. */
                endpoints: number;

                /** Calibration callsPerSecond. */
                callsPerSecond: number;

                /** Calibration unused. */
                unused: string;

                /**
                 * Encodes the specified Calibration message. Does not implicitly {@link carillon.agent.v1.Calibration.verify|verify} messages.
                 * @param message Calibration message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Calibration.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Calibration message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Calibration & carillon.agent.v1.Calibration.$Shape} Calibration
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Calibration & carillon.agent.v1.Calibration.$Shape;
            }

            namespace Calibration {

                /** Properties of a Calibration. */
                interface $Properties {

                    /** Calibration at */
                    at?: (string|null);

                    /** Calibration build */
                    build?: (string|null);

                    /** Calibration hardware */
                    hardware?: (string|null);

                    /** Calibration adapter */
                    adapter?: (string|null);

                    /** Calibration endpoints */
                    endpoints?: (number|null);

                    /** Calibration callsPerSecond */
                    callsPerSecond?: (number|null);

                    /** Calibration unused */
                    unused?: (string|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Calibration. */
                type $Shape = carillon.agent.v1.Calibration.$Properties;
            }

            /**
             * Properties of a SipListener.
             * @deprecated Use carillon.agent.v1.SipListener.$Properties instead.
             */
            interface ISipListener extends carillon.agent.v1.SipListener.$Properties {
            }

            /** Represents a SipListener. */
            class SipListener {

                /**
                 * Constructs a new SipListener.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.SipListener.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** SipListener address. */
                address: string;

                /** SipListener port. */
                port: number;

                /**
                 * Encodes the specified SipListener message. Does not implicitly {@link carillon.agent.v1.SipListener.verify|verify} messages.
                 * @param message SipListener message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.SipListener.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a SipListener message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.SipListener & carillon.agent.v1.SipListener.$Shape} SipListener
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.SipListener & carillon.agent.v1.SipListener.$Shape;
            }

            namespace SipListener {

                /** Properties of a SipListener. */
                interface $Properties {

                    /** SipListener address */
                    address?: (string|null);

                    /** SipListener port */
                    port?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a SipListener. */
                type $Shape = carillon.agent.v1.SipListener.$Properties;
            }

            /**
             * Properties of a PolicyDigest.
             * @deprecated Use carillon.agent.v1.PolicyDigest.$Properties instead.
             */
            interface IPolicyDigest extends carillon.agent.v1.PolicyDigest.$Properties {
            }

            /** Represents a PolicyDigest. */
            class PolicyDigest {

                /**
                 * Constructs a new PolicyDigest.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.PolicyDigest.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** PolicyDigest targetNetworks. */
                targetNetworks: string[];

                /** PolicyDigest maxCallsPerSecond. */
                maxCallsPerSecond: number;

                /** PolicyDigest maxEndpoints. */
                maxEndpoints: number;

                /** PolicyDigest maxDurationSeconds. */
                maxDurationSeconds: number;

                /** PolicyDigest refusedNumbers. */
                refusedNumbers: string[];

                /** PolicyDigest targetDomains. */
                targetDomains: string[];

                /** PolicyDigest allowedNumbers. */
                allowedNumbers: string[];

                /** PolicyDigest maxMinutesADay. */
                maxMinutesADay: number;

                /** PolicyDigest mayNotKeep. */
                mayNotKeep: string[];

                /** PolicyDigest hostCapacity. */
                hostCapacity: number;

                /** PolicyDigest outsideLinePrefixes. */
                outsideLinePrefixes: string[];

                /**
                 * Encodes the specified PolicyDigest message. Does not implicitly {@link carillon.agent.v1.PolicyDigest.verify|verify} messages.
                 * @param message PolicyDigest message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.PolicyDigest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a PolicyDigest message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.PolicyDigest & carillon.agent.v1.PolicyDigest.$Shape} PolicyDigest
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.PolicyDigest & carillon.agent.v1.PolicyDigest.$Shape;
            }

            namespace PolicyDigest {

                /** Properties of a PolicyDigest. */
                interface $Properties {

                    /** PolicyDigest targetNetworks */
                    targetNetworks?: (string[]|null);

                    /** PolicyDigest maxCallsPerSecond */
                    maxCallsPerSecond?: (number|null);

                    /** PolicyDigest maxEndpoints */
                    maxEndpoints?: (number|null);

                    /** PolicyDigest maxDurationSeconds */
                    maxDurationSeconds?: (number|null);

                    /** PolicyDigest refusedNumbers */
                    refusedNumbers?: (string[]|null);

                    /** PolicyDigest targetDomains */
                    targetDomains?: (string[]|null);

                    /** PolicyDigest allowedNumbers */
                    allowedNumbers?: (string[]|null);

                    /** PolicyDigest maxMinutesADay */
                    maxMinutesADay?: (number|null);

                    /** PolicyDigest mayNotKeep */
                    mayNotKeep?: (string[]|null);

                    /** PolicyDigest hostCapacity */
                    hostCapacity?: (number|null);

                    /** PolicyDigest outsideLinePrefixes */
                    outsideLinePrefixes?: (string[]|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a PolicyDigest. */
                type $Shape = carillon.agent.v1.PolicyDigest.$Properties;
            }

            /**
             * Properties of a Welcome.
             * @deprecated Use carillon.agent.v1.Welcome.$Properties instead.
             */
            interface IWelcome extends carillon.agent.v1.Welcome.$Properties {
            }

            /** Represents a Welcome. */
            class Welcome {

                /**
                 * Constructs a new Welcome.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Welcome.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Welcome workerId. */
                workerId: Uint8Array;

                /** Welcome name. */
                name: string;

                /** Welcome region. */
                region: string;

                /** Welcome unixMs. */
                unixMs: number;

                /** Welcome nextBatch. */
                nextBatch: number;

                /** Welcome stopAllocationIds. */
                stopAllocationIds: Uint8Array[];

                /** Welcome beatSeconds. */
                beatSeconds: number;

                /** Welcome takesKeyChanges. */
                takesKeyChanges: boolean;

                /** Welcome takesMessageBlocks. */
                takesMessageBlocks: boolean;

                /** Welcome takesStorageFaults. */
                takesStorageFaults: boolean;

                /** Welcome takesLeaving. */
                takesLeaving: boolean;

                /** Welcome version. */
                version: string;

                /** Welcome agentLacks. */
                agentLacks: string[];

                /**
                 * Encodes the specified Welcome message. Does not implicitly {@link carillon.agent.v1.Welcome.verify|verify} messages.
                 * @param message Welcome message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Welcome.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Welcome message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Welcome & carillon.agent.v1.Welcome.$Shape} Welcome
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Welcome & carillon.agent.v1.Welcome.$Shape;
            }

            namespace Welcome {

                /** Properties of a Welcome. */
                interface $Properties {

                    /** Welcome workerId */
                    workerId?: (Uint8Array|null);

                    /** Welcome name */
                    name?: (string|null);

                    /** Welcome region */
                    region?: (string|null);

                    /** Welcome unixMs */
                    unixMs?: (number|null);

                    /** Welcome nextBatch */
                    nextBatch?: (number|null);

                    /** Welcome stopAllocationIds */
                    stopAllocationIds?: (Uint8Array[]|null);

                    /** Welcome beatSeconds */
                    beatSeconds?: (number|null);

                    /** Welcome takesKeyChanges */
                    takesKeyChanges?: (boolean|null);

                    /** Welcome takesMessageBlocks */
                    takesMessageBlocks?: (boolean|null);

                    /** Welcome takesStorageFaults */
                    takesStorageFaults?: (boolean|null);

                    /** Welcome takesLeaving */
                    takesLeaving?: (boolean|null);

                    /** Welcome version */
                    version?: (string|null);

                    /** Welcome agentLacks */
                    agentLacks?: (string[]|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Welcome. */
                type $Shape = carillon.agent.v1.Welcome.$Properties;
            }

            /**
             * Properties of a Farewell.
             * @deprecated Use carillon.agent.v1.Farewell.$Properties instead.
             */
            interface IFarewell extends carillon.agent.v1.Farewell.$Properties {
            }

            /** Represents a Farewell. */
            class Farewell {

                /**
                 * Constructs a new Farewell.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Farewell.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Farewell code. */
                code: string;

                /** Farewell message. */
                message: string;

                /** Farewell retry. */
                retry: boolean;

                /** Farewell retryAfterMs. */
                retryAfterMs: number;

                /**
                 * Encodes the specified Farewell message. Does not implicitly {@link carillon.agent.v1.Farewell.verify|verify} messages.
                 * @param message Farewell message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Farewell.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Farewell message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Farewell & carillon.agent.v1.Farewell.$Shape} Farewell
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Farewell & carillon.agent.v1.Farewell.$Shape;
            }

            namespace Farewell {

                /** Properties of a Farewell. */
                interface $Properties {

                    /** Farewell code */
                    code?: (string|null);

                    /** Farewell message */
                    message?: (string|null);

                    /** Farewell retry */
                    retry?: (boolean|null);

                    /** Farewell retryAfterMs */
                    retryAfterMs?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Farewell. */
                type $Shape = carillon.agent.v1.Farewell.$Properties;
            }

            /**
             * Properties of a Beat.
             * @deprecated Use carillon.agent.v1.Beat.$Properties instead.
             */
            interface IBeat extends carillon.agent.v1.Beat.$Properties {
            }

            /** Represents a Beat. */
            class Beat {

                /**
                 * Constructs a new Beat.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Beat.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Beat unixMs. */
                unixMs: number;

                /** Beat echoUnixMs. */
                echoUnixMs: number;

                /**
                 * Encodes the specified Beat message. Does not implicitly {@link carillon.agent.v1.Beat.verify|verify} messages.
                 * @param message Beat message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Beat.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Beat message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Beat & carillon.agent.v1.Beat.$Shape} Beat
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Beat & carillon.agent.v1.Beat.$Shape;
            }

            namespace Beat {

                /** Properties of a Beat. */
                interface $Properties {

                    /** Beat unixMs */
                    unixMs?: (number|null);

                    /** Beat echoUnixMs */
                    echoUnixMs?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Beat. */
                type $Shape = carillon.agent.v1.Beat.$Properties;
            }

            /**
             * Properties of a Batch.
             * @deprecated Use carillon.agent.v1.Batch.$Properties instead.
             */
            interface IBatch extends carillon.agent.v1.Batch.$Properties {
            }

            /** Represents a Batch. */
            class Batch {

                /**
                 * Constructs a new Batch.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Batch.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Batch number. */
                number: number;

                /** Batch zstd. */
                zstd: boolean;

                /** Batch facts. */
                facts: Uint8Array;

                /**
                 * Encodes the specified Batch message. Does not implicitly {@link carillon.agent.v1.Batch.verify|verify} messages.
                 * @param message Batch message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Batch.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Batch message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Batch & carillon.agent.v1.Batch.$Shape} Batch
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Batch & carillon.agent.v1.Batch.$Shape;
            }

            namespace Batch {

                /** Properties of a Batch. */
                interface $Properties {

                    /** Batch number */
                    number?: (number|null);

                    /** Batch zstd */
                    zstd?: (boolean|null);

                    /** Batch facts */
                    facts?: (Uint8Array|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Batch. */
                type $Shape = carillon.agent.v1.Batch.$Properties;
            }

            /**
             * Properties of a BatchReceipt.
             * @deprecated Use carillon.agent.v1.BatchReceipt.$Properties instead.
             */
            interface IBatchReceipt extends carillon.agent.v1.BatchReceipt.$Properties {
            }

            /** Represents a BatchReceipt. */
            class BatchReceipt {

                /**
                 * Constructs a new BatchReceipt.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.BatchReceipt.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** BatchReceipt number. */
                number: number;

                /**
                 * Encodes the specified BatchReceipt message. Does not implicitly {@link carillon.agent.v1.BatchReceipt.verify|verify} messages.
                 * @param message BatchReceipt message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.BatchReceipt.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a BatchReceipt message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.BatchReceipt & carillon.agent.v1.BatchReceipt.$Shape} BatchReceipt
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.BatchReceipt & carillon.agent.v1.BatchReceipt.$Shape;
            }

            namespace BatchReceipt {

                /** Properties of a BatchReceipt. */
                interface $Properties {

                    /** BatchReceipt number */
                    number?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a BatchReceipt. */
                type $Shape = carillon.agent.v1.BatchReceipt.$Properties;
            }

            /**
             * Properties of a Command.
             * @deprecated Use carillon.agent.v1.Command.$Properties instead.
             */
            interface ICommand extends carillon.agent.v1.Command.$Properties {
            }

            /** Represents a Command. */
            class Command {

                /**
                 * Constructs a new Command.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Command.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Command id. */
                id: number;

                /** Command allocate. */
                allocate?: (carillon.agent.v1.Allocation.$Properties|null);

                /** Command start. */
                start?: (carillon.agent.v1.Start.$Properties|null);

                /** Command finish. */
                finish?: (carillon.agent.v1.Finish.$Properties|null);

                /** Command stop. */
                stop?: (carillon.agent.v1.Stop.$Properties|null);

                /** Command breakOff. */
                breakOff?: (carillon.agent.v1.BreakOff.$Properties|null);

                /** Command changeLoad. */
                changeLoad?: (carillon.agent.v1.ChangeLoad.$Properties|null);

                /** Command changeKey. */
                changeKey?: (carillon.agent.v1.ChangeKey.$Properties|null);

                /** Command order. */
                order?: ("allocate"|"start"|"finish"|"stop"|"breakOff"|"changeLoad"|"changeKey");

                /**
                 * Encodes the specified Command message. Does not implicitly {@link carillon.agent.v1.Command.verify|verify} messages.
                 * @param message Command message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Command.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Command message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Command & carillon.agent.v1.Command.$Shape} Command
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Command & carillon.agent.v1.Command.$Shape;
            }

            namespace Command {

                /** Properties of a Command. */
                interface $Properties {

                    /** Command id */
                    id?: (number|null);

                    /** Command allocate */
                    allocate?: (carillon.agent.v1.Allocation.$Properties|null);

                    /** Command start */
                    start?: (carillon.agent.v1.Start.$Properties|null);

                    /** Command finish */
                    finish?: (carillon.agent.v1.Finish.$Properties|null);

                    /** Command stop */
                    stop?: (carillon.agent.v1.Stop.$Properties|null);

                    /** Command breakOff */
                    breakOff?: (carillon.agent.v1.BreakOff.$Properties|null);

                    /** Command changeLoad */
                    changeLoad?: (carillon.agent.v1.ChangeLoad.$Properties|null);

                    /** Command changeKey */
                    changeKey?: (carillon.agent.v1.ChangeKey.$Properties|null);

                    /** Command order */
                    order?: ("allocate"|"start"|"finish"|"stop"|"breakOff"|"changeLoad"|"changeKey");

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Narrowed shape of a Command. */
                type $Shape = {
                  id?: number|null;
                  allocate?: carillon.agent.v1.Allocation.$Shape|null;
                  start?: carillon.agent.v1.Start.$Shape|null;
                  finish?: carillon.agent.v1.Finish.$Shape|null;
                  stop?: carillon.agent.v1.Stop.$Shape|null;
                  breakOff?: carillon.agent.v1.BreakOff.$Shape|null;
                  changeLoad?: carillon.agent.v1.ChangeLoad.$Shape|null;
                  changeKey?: carillon.agent.v1.ChangeKey.$Shape|null;
                  $unknowns?: Uint8Array[];
                } & (
                  ({ order?: undefined; allocate?: null; start?: null; finish?: null; stop?: null; breakOff?: null; changeLoad?: null; changeKey?: null }|{ order?: "allocate"; allocate: carillon.agent.v1.Allocation.$Shape; start?: null; finish?: null; stop?: null; breakOff?: null; changeLoad?: null; changeKey?: null }|{ order?: "start"; allocate?: null; start: carillon.agent.v1.Start.$Shape; finish?: null; stop?: null; breakOff?: null; changeLoad?: null; changeKey?: null }|{ order?: "finish"; allocate?: null; start?: null; finish: carillon.agent.v1.Finish.$Shape; stop?: null; breakOff?: null; changeLoad?: null; changeKey?: null }|{ order?: "stop"; allocate?: null; start?: null; finish?: null; stop: carillon.agent.v1.Stop.$Shape; breakOff?: null; changeLoad?: null; changeKey?: null }|{ order?: "breakOff"; allocate?: null; start?: null; finish?: null; stop?: null; breakOff: carillon.agent.v1.BreakOff.$Shape; changeLoad?: null; changeKey?: null }|{ order?: "changeLoad"; allocate?: null; start?: null; finish?: null; stop?: null; breakOff?: null; changeLoad: carillon.agent.v1.ChangeLoad.$Shape; changeKey?: null }|{ order?: "changeKey"; allocate?: null; start?: null; finish?: null; stop?: null; breakOff?: null; changeLoad?: null; changeKey: carillon.agent.v1.ChangeKey.$Shape })
                );
            }

            /**
             * Properties of a ChangeKey.
             * @deprecated Use carillon.agent.v1.ChangeKey.$Properties instead.
             */
            interface IChangeKey extends carillon.agent.v1.ChangeKey.$Properties {
            }

            /** Represents a ChangeKey. */
            class ChangeKey {

                /**
                 * Constructs a new ChangeKey.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.ChangeKey.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /**
                 * Encodes the specified ChangeKey message. Does not implicitly {@link carillon.agent.v1.ChangeKey.verify|verify} messages.
                 * @param message ChangeKey message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.ChangeKey.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a ChangeKey message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.ChangeKey & carillon.agent.v1.ChangeKey.$Shape} ChangeKey
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.ChangeKey & carillon.agent.v1.ChangeKey.$Shape;
            }

            namespace ChangeKey {

                /** Properties of a ChangeKey. */
                interface $Properties {

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a ChangeKey. */
                type $Shape = carillon.agent.v1.ChangeKey.$Properties;
            }

            /**
             * Properties of a KeyChange.
             * @deprecated Use carillon.agent.v1.KeyChange.$Properties instead.
             */
            interface IKeyChange extends carillon.agent.v1.KeyChange.$Properties {
            }

            /** Represents a KeyChange. */
            class KeyChange {

                /**
                 * Constructs a new KeyChange.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.KeyChange.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** KeyChange publicKey. */
                publicKey: Uint8Array;

                /** KeyChange consent. */
                consent: Uint8Array;

                /** KeyChange proof. */
                proof: Uint8Array;

                /**
                 * Encodes the specified KeyChange message. Does not implicitly {@link carillon.agent.v1.KeyChange.verify|verify} messages.
                 * @param message KeyChange message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.KeyChange.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a KeyChange message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.KeyChange & carillon.agent.v1.KeyChange.$Shape} KeyChange
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.KeyChange & carillon.agent.v1.KeyChange.$Shape;
            }

            namespace KeyChange {

                /** Properties of a KeyChange. */
                interface $Properties {

                    /** KeyChange publicKey */
                    publicKey?: (Uint8Array|null);

                    /** KeyChange consent */
                    consent?: (Uint8Array|null);

                    /** KeyChange proof */
                    proof?: (Uint8Array|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a KeyChange. */
                type $Shape = carillon.agent.v1.KeyChange.$Properties;
            }

            /**
             * Properties of a KeyReceipt.
             * @deprecated Use carillon.agent.v1.KeyReceipt.$Properties instead.
             */
            interface IKeyReceipt extends carillon.agent.v1.KeyReceipt.$Properties {
            }

            /** Represents a KeyReceipt. */
            class KeyReceipt {

                /**
                 * Constructs a new KeyReceipt.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.KeyReceipt.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** KeyReceipt publicKey. */
                publicKey: Uint8Array;

                /** KeyReceipt refused. */
                refused: string;

                /**
                 * Encodes the specified KeyReceipt message. Does not implicitly {@link carillon.agent.v1.KeyReceipt.verify|verify} messages.
                 * @param message KeyReceipt message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.KeyReceipt.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a KeyReceipt message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.KeyReceipt & carillon.agent.v1.KeyReceipt.$Shape} KeyReceipt
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.KeyReceipt & carillon.agent.v1.KeyReceipt.$Shape;
            }

            namespace KeyReceipt {

                /** Properties of a KeyReceipt. */
                interface $Properties {

                    /** KeyReceipt publicKey */
                    publicKey?: (Uint8Array|null);

                    /** KeyReceipt refused */
                    refused?: (string|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a KeyReceipt. */
                type $Shape = carillon.agent.v1.KeyReceipt.$Properties;
            }

            /**
             * Properties of a StorageFault.
             * @deprecated Use carillon.agent.v1.StorageFault.$Properties instead.
             */
            interface IStorageFault extends carillon.agent.v1.StorageFault.$Properties {
            }

            /** Represents a StorageFault. */
            class StorageFault {

                /**
                 * Constructs a new StorageFault.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.StorageFault.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** StorageFault fault. */
                fault: string;

                /**
                 * Encodes the specified StorageFault message. Does not implicitly {@link carillon.agent.v1.StorageFault.verify|verify} messages.
                 * @param message StorageFault message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.StorageFault.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a StorageFault message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.StorageFault & carillon.agent.v1.StorageFault.$Shape} StorageFault
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.StorageFault & carillon.agent.v1.StorageFault.$Shape;
            }

            namespace StorageFault {

                /** Properties of a StorageFault. */
                interface $Properties {

                    /** StorageFault fault */
                    fault?: (string|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a StorageFault. */
                type $Shape = carillon.agent.v1.StorageFault.$Properties;
            }

            /**
             * Properties of a Leaving.
             * @deprecated Use carillon.agent.v1.Leaving.$Properties instead.
             */
            interface ILeaving extends carillon.agent.v1.Leaving.$Properties {
            }

            /** Represents a Leaving. */
            class Leaving {

                /**
                 * Constructs a new Leaving.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Leaving.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Leaving done. */
                done: boolean;

                /**
                 * Encodes the specified Leaving message. Does not implicitly {@link carillon.agent.v1.Leaving.verify|verify} messages.
                 * @param message Leaving message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Leaving.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Leaving message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Leaving & carillon.agent.v1.Leaving.$Shape} Leaving
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Leaving & carillon.agent.v1.Leaving.$Shape;
            }

            namespace Leaving {

                /** Properties of a Leaving. */
                interface $Properties {

                    /** Leaving done */
                    done?: (boolean|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Leaving. */
                type $Shape = carillon.agent.v1.Leaving.$Properties;
            }

            /**
             * Properties of a CommandReceipt.
             * @deprecated Use carillon.agent.v1.CommandReceipt.$Properties instead.
             */
            interface ICommandReceipt extends carillon.agent.v1.CommandReceipt.$Properties {
            }

            /** Represents a CommandReceipt. */
            class CommandReceipt {

                /**
                 * Constructs a new CommandReceipt.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.CommandReceipt.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** CommandReceipt id. */
                id: number;

                /**
                 * Encodes the specified CommandReceipt message. Does not implicitly {@link carillon.agent.v1.CommandReceipt.verify|verify} messages.
                 * @param message CommandReceipt message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.CommandReceipt.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a CommandReceipt message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.CommandReceipt & carillon.agent.v1.CommandReceipt.$Shape} CommandReceipt
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.CommandReceipt & carillon.agent.v1.CommandReceipt.$Shape;
            }

            namespace CommandReceipt {

                /** Properties of a CommandReceipt. */
                interface $Properties {

                    /** CommandReceipt id */
                    id?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a CommandReceipt. */
                type $Shape = carillon.agent.v1.CommandReceipt.$Properties;
            }

            /**
             * Properties of a MediaRequest.
             * @deprecated Use carillon.agent.v1.MediaRequest.$Properties instead.
             */
            interface IMediaRequest extends carillon.agent.v1.MediaRequest.$Properties {
            }

            /** Represents a MediaRequest. */
            class MediaRequest {

                /**
                 * Constructs a new MediaRequest.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.MediaRequest.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** MediaRequest sha256. */
                sha256: Uint8Array;

                /** MediaRequest offset. */
                offset: number;

                /**
                 * Encodes the specified MediaRequest message. Does not implicitly {@link carillon.agent.v1.MediaRequest.verify|verify} messages.
                 * @param message MediaRequest message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.MediaRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a MediaRequest message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.MediaRequest & carillon.agent.v1.MediaRequest.$Shape} MediaRequest
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.MediaRequest & carillon.agent.v1.MediaRequest.$Shape;
            }

            namespace MediaRequest {

                /** Properties of a MediaRequest. */
                interface $Properties {

                    /** MediaRequest sha256 */
                    sha256?: (Uint8Array|null);

                    /** MediaRequest offset */
                    offset?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a MediaRequest. */
                type $Shape = carillon.agent.v1.MediaRequest.$Properties;
            }

            /**
             * Properties of a MediaChunk.
             * @deprecated Use carillon.agent.v1.MediaChunk.$Properties instead.
             */
            interface IMediaChunk extends carillon.agent.v1.MediaChunk.$Properties {
            }

            /** Represents a MediaChunk. */
            class MediaChunk {

                /**
                 * Constructs a new MediaChunk.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.MediaChunk.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** MediaChunk sha256. */
                sha256: Uint8Array;

                /** MediaChunk offset. */
                offset: number;

                /** MediaChunk totalBytes. */
                totalBytes: number;

                /** MediaChunk data. */
                data: Uint8Array;

                /** MediaChunk refused. */
                refused: string;

                /**
                 * Encodes the specified MediaChunk message. Does not implicitly {@link carillon.agent.v1.MediaChunk.verify|verify} messages.
                 * @param message MediaChunk message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.MediaChunk.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a MediaChunk message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.MediaChunk & carillon.agent.v1.MediaChunk.$Shape} MediaChunk
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.MediaChunk & carillon.agent.v1.MediaChunk.$Shape;
            }

            namespace MediaChunk {

                /** Properties of a MediaChunk. */
                interface $Properties {

                    /** MediaChunk sha256 */
                    sha256?: (Uint8Array|null);

                    /** MediaChunk offset */
                    offset?: (number|null);

                    /** MediaChunk totalBytes */
                    totalBytes?: (number|null);

                    /** MediaChunk data */
                    data?: (Uint8Array|null);

                    /** MediaChunk refused */
                    refused?: (string|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a MediaChunk. */
                type $Shape = carillon.agent.v1.MediaChunk.$Properties;
            }

            /** Role enum. */
            enum Role {

                /** ROLE_UNSPECIFIED value */
                ROLE_UNSPECIFIED = 0,

                /** CALLER value */
                CALLER = 1,

                /** CALLEE value */
                CALLEE = 2
            }

            /**
             * Properties of an Allocation.
             * @deprecated Use carillon.agent.v1.Allocation.$Properties instead.
             */
            interface IAllocation extends carillon.agent.v1.Allocation.$Properties {
            }

            /** Represents an Allocation. */
            class Allocation {

                /**
                 * Constructs a new Allocation.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Allocation.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Allocation allocationId. */
                allocationId: Uint8Array;

                /** Allocation runId. */
                runId: Uint8Array;

                /** Allocation role. */
                role: carillon.agent.v1.Role;

                /** Allocation group. */
                group?: (carillon.agent.v1.Group.$Properties|null);

                /** Allocation endpoints. */
                endpoints?: (carillon.agent.v1.Endpoints.$Properties|null);

                /** Allocation callDurationMs. */
                callDurationMs: number;

                /** Allocation answerTimeoutMs. */
                answerTimeoutMs: number;

                /** Allocation receiveWindowMs. */
                receiveWindowMs: number;

                /** Allocation hardEndMs. */
                hardEndMs: number;

                /** Allocation sampleIntervalMs. */
                sampleIntervalMs: number;

                /** Allocation keepMessages. */
                keepMessages: boolean;

                /** Allocation breaker. */
                breaker?: (carillon.agent.v1.Breaker.$Properties|null);

                /** Allocation atOnce. */
                atOnce: number;

                /** Allocation rtpTrace. */
                rtpTrace?: (carillon.agent.v1.RtpTrace.$Properties|null);

                /** Allocation load. */
                load?: (carillon.agent.v1.Load.$Properties|null);

                /** Allocation keeping. */
                keeping?: (carillon.agent.v1.Keeping.$Properties|null);

                /** Allocation calleeEndsAfterMs. */
                calleeEndsAfterMs: number;

                /**
                 * Encodes the specified Allocation message. Does not implicitly {@link carillon.agent.v1.Allocation.verify|verify} messages.
                 * @param message Allocation message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Allocation.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes an Allocation message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Allocation & carillon.agent.v1.Allocation.$Shape} Allocation
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Allocation & carillon.agent.v1.Allocation.$Shape;
            }

            namespace Allocation {

                /** Properties of an Allocation. */
                interface $Properties {

                    /** Allocation allocationId */
                    allocationId?: (Uint8Array|null);

                    /** Allocation runId */
                    runId?: (Uint8Array|null);

                    /** Allocation role */
                    role?: (carillon.agent.v1.Role|null);

                    /** Allocation group */
                    group?: (carillon.agent.v1.Group.$Properties|null);

                    /** Allocation endpoints */
                    endpoints?: (carillon.agent.v1.Endpoints.$Properties|null);

                    /** Allocation callDurationMs */
                    callDurationMs?: (number|null);

                    /** Allocation answerTimeoutMs */
                    answerTimeoutMs?: (number|null);

                    /** Allocation receiveWindowMs */
                    receiveWindowMs?: (number|null);

                    /** Allocation hardEndMs */
                    hardEndMs?: (number|null);

                    /** Allocation sampleIntervalMs */
                    sampleIntervalMs?: (number|null);

                    /** Allocation keepMessages */
                    keepMessages?: (boolean|null);

                    /** Allocation breaker */
                    breaker?: (carillon.agent.v1.Breaker.$Properties|null);

                    /** Allocation atOnce */
                    atOnce?: (number|null);

                    /** Allocation rtpTrace */
                    rtpTrace?: (carillon.agent.v1.RtpTrace.$Properties|null);

                    /** Allocation load */
                    load?: (carillon.agent.v1.Load.$Properties|null);

                    /** Allocation keeping */
                    keeping?: (carillon.agent.v1.Keeping.$Properties|null);

                    /** Allocation calleeEndsAfterMs */
                    calleeEndsAfterMs?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of an Allocation. */
                type $Shape = carillon.agent.v1.Allocation.$Properties;
            }

            /**
             * Properties of a Keeping.
             * @deprecated Use carillon.agent.v1.Keeping.$Properties instead.
             */
            interface IKeeping extends carillon.agent.v1.Keeping.$Properties {
            }

            /** Represents a Keeping. */
            class Keeping {

                /**
                 * Constructs a new Keeping.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Keeping.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Keeping oneIn. */
                oneIn: number;

                /** Keeping seed. */
                seed: number;

                /** Keeping ofCluster. */
                ofCluster: number;

                /**
                 * Encodes the specified Keeping message. Does not implicitly {@link carillon.agent.v1.Keeping.verify|verify} messages.
                 * @param message Keeping message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Keeping.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Keeping message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Keeping & carillon.agent.v1.Keeping.$Shape} Keeping
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Keeping & carillon.agent.v1.Keeping.$Shape;
            }

            namespace Keeping {

                /** Properties of a Keeping. */
                interface $Properties {

                    /** Keeping oneIn */
                    oneIn?: (number|null);

                    /** Keeping seed */
                    seed?: (number|null);

                    /** Keeping ofCluster */
                    ofCluster?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Keeping. */
                type $Shape = carillon.agent.v1.Keeping.$Properties;
            }

            /**
             * Properties of a Load.
             * @deprecated Use carillon.agent.v1.Load.$Properties instead.
             */
            interface ILoad extends carillon.agent.v1.Load.$Properties {
            }

            /** Represents a Load. */
            class Load {

                /**
                 * Constructs a new Load.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Load.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Load shape. */
                shape: string;

                /** Load steps. */
                steps: carillon.agent.v1.LoadStep.$Properties[];

                /** Load calls. */
                calls: number;

                /** Load seed. */
                seed: number;

                /** Load partFrom. */
                partFrom: number;

                /** Load partUntil. */
                partUntil: number;

                /** Load parts. */
                parts: number;

                /** Load callsEach. */
                callsEach: number;

                /** Load runEndpoints. */
                runEndpoints: number;

                /**
                 * Encodes the specified Load message. Does not implicitly {@link carillon.agent.v1.Load.verify|verify} messages.
                 * @param message Load message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Load.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Load message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Load & carillon.agent.v1.Load.$Shape} Load
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Load & carillon.agent.v1.Load.$Shape;
            }

            namespace Load {

                /** Properties of a Load. */
                interface $Properties {

                    /** Load shape */
                    shape?: (string|null);

                    /** Load steps */
                    steps?: (carillon.agent.v1.LoadStep.$Properties[]|null);

                    /** Load calls */
                    calls?: (number|null);

                    /** Load seed */
                    seed?: (number|null);

                    /** Load partFrom */
                    partFrom?: (number|null);

                    /** Load partUntil */
                    partUntil?: (number|null);

                    /** Load parts */
                    parts?: (number|null);

                    /** Load callsEach */
                    callsEach?: (number|null);

                    /** Load runEndpoints */
                    runEndpoints?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Load. */
                type $Shape = carillon.agent.v1.Load.$Properties;
            }

            /**
             * Properties of a LoadStep.
             * @deprecated Use carillon.agent.v1.LoadStep.$Properties instead.
             */
            interface ILoadStep extends carillon.agent.v1.LoadStep.$Properties {
            }

            /** Represents a LoadStep. */
            class LoadStep {

                /**
                 * Constructs a new LoadStep.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.LoadStep.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** LoadStep seconds. */
                seconds: number;

                /** LoadStep callsPerSecond. */
                callsPerSecond: number;

                /** LoadStep toCallsPerSecond. */
                toCallsPerSecond: number;

                /** LoadStep periodSeconds. */
                periodSeconds: number;

                /**
                 * Encodes the specified LoadStep message. Does not implicitly {@link carillon.agent.v1.LoadStep.verify|verify} messages.
                 * @param message LoadStep message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.LoadStep.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a LoadStep message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.LoadStep & carillon.agent.v1.LoadStep.$Shape} LoadStep
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.LoadStep & carillon.agent.v1.LoadStep.$Shape;
            }

            namespace LoadStep {

                /** Properties of a LoadStep. */
                interface $Properties {

                    /** LoadStep seconds */
                    seconds?: (number|null);

                    /** LoadStep callsPerSecond */
                    callsPerSecond?: (number|null);

                    /** LoadStep toCallsPerSecond */
                    toCallsPerSecond?: (number|null);

                    /** LoadStep periodSeconds */
                    periodSeconds?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a LoadStep. */
                type $Shape = carillon.agent.v1.LoadStep.$Properties;
            }

            /**
             * Properties of a RtpTrace.
             * @deprecated Use carillon.agent.v1.RtpTrace.$Properties instead.
             */
            interface IRtpTrace extends carillon.agent.v1.RtpTrace.$Properties {
            }

            /** Represents a RtpTrace. */
            class RtpTrace {

                /**
                 * Constructs a new RtpTrace.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.RtpTrace.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** RtpTrace endpoint. */
                endpoint: number[];

                /** RtpTrace packets. */
                packets: number;

                /**
                 * Encodes the specified RtpTrace message. Does not implicitly {@link carillon.agent.v1.RtpTrace.verify|verify} messages.
                 * @param message RtpTrace message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.RtpTrace.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a RtpTrace message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.RtpTrace & carillon.agent.v1.RtpTrace.$Shape} RtpTrace
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.RtpTrace & carillon.agent.v1.RtpTrace.$Shape;
            }

            namespace RtpTrace {

                /** Properties of a RtpTrace. */
                interface $Properties {

                    /** RtpTrace endpoint */
                    endpoint?: (number[]|null);

                    /** RtpTrace packets */
                    packets?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a RtpTrace. */
                type $Shape = carillon.agent.v1.RtpTrace.$Properties;
            }

            /**
             * Properties of a Group.
             * @deprecated Use carillon.agent.v1.Group.$Properties instead.
             */
            interface IGroup extends carillon.agent.v1.Group.$Properties {
            }

            /** Represents a Group. */
            class Group {

                /**
                 * Constructs a new Group.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Group.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Group registrarUri. */
                registrarUri: string;

                /** Group nextHop. */
                nextHop: string;

                /** Group route. */
                route: string;

                /** Group domain. */
                domain: string;

                /** Group register. */
                register: boolean;

                /** Group registerExpiresSeconds. */
                registerExpiresSeconds: number;

                /** Group audioCodecs. */
                audioCodecs: string[];

                /** Group packetMs. */
                packetMs: number;

                /** Group audioSource. */
                audioSource: string;

                /** Group audioDirection. */
                audioDirection: string;

                /** Group rtcpMux. */
                rtcpMux: boolean;

                /** Group takesAnyCall. */
                takesAnyCall: boolean;

                /** Group audioDscp. */
                audioDscp: number;

                /** Group videoCodecs. */
                videoCodecs: string[];

                /** Group videoSource. */
                videoSource: string;

                /** Group videoDirection. */
                videoDirection: string;

                /** Group videoDscp. */
                videoDscp: number;

                /** Group encryption. */
                encryption: string;

                /** Group telephoneEvent. */
                telephoneEvent: boolean;

                /** Group dtmf. */
                dtmf?: (carillon.agent.v1.Dtmf.$Properties|null);

                /** Group impairment. */
                impairment?: (carillon.agent.v1.Impairment.$Properties|null);

                /** Group actions. */
                actions: carillon.agent.v1.Action.$Properties[];

                /** Group signalling. */
                signalling?: (carillon.agent.v1.Signalling.$Properties|null);

                /** Group audioDeferred. */
                audioDeferred: boolean;

                /** Group videoDeferred. */
                videoDeferred: boolean;

                /** Group protocol. */
                protocol: string;

                /** Group tls. */
                tls?: (carillon.agent.v1.Tls.$Properties|null);

                /** Group toleratedFindings. */
                toleratedFindings: string[];

                /** Group farEndHangsUp. */
                farEndHangsUp: boolean;

                /** Group farEndMayPause. */
                farEndMayPause: boolean;

                /** Group silenceExpected. */
                silenceExpected: boolean;

                /** Group displayName. */
                displayName: string;

                /** Group withoutMedia. */
                withoutMedia: boolean;

                /** Group sdp. */
                sdp: string;

                /** Group ice. */
                ice: string;

                /** Group feedbackProfile. */
                feedbackProfile: string;

                /** Group engine. */
                engine: string;

                /** Group webSocketPath. */
                webSocketPath: string;

                /** Group callsFrom. */
                callsFrom: string;

                /** Group callerNumber. */
                callerNumber: string;

                /** Group gateways. */
                gateways: string[];

                /** Group server. */
                server: string;

                /** Group headers. */
                headers: carillon.agent.v1.Header.$Properties[];

                /** Group registerRetry. */
                registerRetry?: (carillon.agent.v1.RegisterRetry.$Properties|null);

                /** Group sourceAddress. */
                sourceAddress: string;

                /** Group mode. */
                mode: string;

                /**
                 * Encodes the specified Group message. Does not implicitly {@link carillon.agent.v1.Group.verify|verify} messages.
                 * @param message Group message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Group.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Group message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Group & carillon.agent.v1.Group.$Shape} Group
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Group & carillon.agent.v1.Group.$Shape;
            }

            namespace Group {

                /** Properties of a Group. */
                interface $Properties {

                    /** Group registrarUri */
                    registrarUri?: (string|null);

                    /** Group nextHop */
                    nextHop?: (string|null);

                    /** Group route */
                    route?: (string|null);

                    /** Group domain */
                    domain?: (string|null);

                    /** Group register */
                    register?: (boolean|null);

                    /** Group registerExpiresSeconds */
                    registerExpiresSeconds?: (number|null);

                    /** Group audioCodecs */
                    audioCodecs?: (string[]|null);

                    /** Group packetMs */
                    packetMs?: (number|null);

                    /** Group audioSource */
                    audioSource?: (string|null);

                    /** Group audioDirection */
                    audioDirection?: (string|null);

                    /** Group rtcpMux */
                    rtcpMux?: (boolean|null);

                    /** Group takesAnyCall */
                    takesAnyCall?: (boolean|null);

                    /** Group audioDscp */
                    audioDscp?: (number|null);

                    /** Group videoCodecs */
                    videoCodecs?: (string[]|null);

                    /** Group videoSource */
                    videoSource?: (string|null);

                    /** Group videoDirection */
                    videoDirection?: (string|null);

                    /** Group videoDscp */
                    videoDscp?: (number|null);

                    /** Group encryption */
                    encryption?: (string|null);

                    /** Group telephoneEvent */
                    telephoneEvent?: (boolean|null);

                    /** Group dtmf */
                    dtmf?: (carillon.agent.v1.Dtmf.$Properties|null);

                    /** Group impairment */
                    impairment?: (carillon.agent.v1.Impairment.$Properties|null);

                    /** Group actions */
                    actions?: (carillon.agent.v1.Action.$Properties[]|null);

                    /** Group signalling */
                    signalling?: (carillon.agent.v1.Signalling.$Properties|null);

                    /** Group audioDeferred */
                    audioDeferred?: (boolean|null);

                    /** Group videoDeferred */
                    videoDeferred?: (boolean|null);

                    /** Group protocol */
                    protocol?: (string|null);

                    /** Group tls */
                    tls?: (carillon.agent.v1.Tls.$Properties|null);

                    /** Group toleratedFindings */
                    toleratedFindings?: (string[]|null);

                    /** Group farEndHangsUp */
                    farEndHangsUp?: (boolean|null);

                    /** Group farEndMayPause */
                    farEndMayPause?: (boolean|null);

                    /** Group silenceExpected */
                    silenceExpected?: (boolean|null);

                    /** Group displayName */
                    displayName?: (string|null);

                    /** Group withoutMedia */
                    withoutMedia?: (boolean|null);

                    /** Group sdp */
                    sdp?: (string|null);

                    /** Group ice */
                    ice?: (string|null);

                    /** Group feedbackProfile */
                    feedbackProfile?: (string|null);

                    /** Group engine */
                    engine?: (string|null);

                    /** Group webSocketPath */
                    webSocketPath?: (string|null);

                    /** Group callsFrom */
                    callsFrom?: (string|null);

                    /** Group callerNumber */
                    callerNumber?: (string|null);

                    /** Group gateways */
                    gateways?: (string[]|null);

                    /** Group server */
                    server?: (string|null);

                    /** Group headers */
                    headers?: (carillon.agent.v1.Header.$Properties[]|null);

                    /** Group registerRetry */
                    registerRetry?: (carillon.agent.v1.RegisterRetry.$Properties|null);

                    /** Group sourceAddress */
                    sourceAddress?: (string|null);

                    /** Group mode */
                    mode?: (string|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Group. */
                type $Shape = carillon.agent.v1.Group.$Properties;
            }

            /**
             * Properties of a RegisterRetry.
             * @deprecated Use carillon.agent.v1.RegisterRetry.$Properties instead.
             */
            interface IRegisterRetry extends carillon.agent.v1.RegisterRetry.$Properties {
            }

            /** Represents a RegisterRetry. */
            class RegisterRetry {

                /**
                 * Constructs a new RegisterRetry.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.RegisterRetry.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** RegisterRetry afterSeconds. */
                afterSeconds: number;

                /** RegisterRetry withinSeconds. */
                withinSeconds: number;

                /**
                 * Encodes the specified RegisterRetry message. Does not implicitly {@link carillon.agent.v1.RegisterRetry.verify|verify} messages.
                 * @param message RegisterRetry message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.RegisterRetry.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a RegisterRetry message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.RegisterRetry & carillon.agent.v1.RegisterRetry.$Shape} RegisterRetry
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.RegisterRetry & carillon.agent.v1.RegisterRetry.$Shape;
            }

            namespace RegisterRetry {

                /** Properties of a RegisterRetry. */
                interface $Properties {

                    /** RegisterRetry afterSeconds */
                    afterSeconds?: (number|null);

                    /** RegisterRetry withinSeconds */
                    withinSeconds?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a RegisterRetry. */
                type $Shape = carillon.agent.v1.RegisterRetry.$Properties;
            }

            /**
             * Properties of a Header.
             * @deprecated Use carillon.agent.v1.Header.$Properties instead.
             */
            interface IHeader extends carillon.agent.v1.Header.$Properties {
            }

            /** Represents a Header. */
            class Header {

                /**
                 * Constructs a new Header.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Header.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Header method. */
                method: string;

                /** Header name. */
                name: string;

                /** Header value. */
                value: string;

                /**
                 * Encodes the specified Header message. Does not implicitly {@link carillon.agent.v1.Header.verify|verify} messages.
                 * @param message Header message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Header.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Header message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Header & carillon.agent.v1.Header.$Shape} Header
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Header & carillon.agent.v1.Header.$Shape;
            }

            namespace Header {

                /** Properties of a Header. */
                interface $Properties {

                    /** Header method */
                    method?: (string|null);

                    /** Header name */
                    name?: (string|null);

                    /** Header value */
                    value?: (string|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Header. */
                type $Shape = carillon.agent.v1.Header.$Properties;
            }

            /**
             * Properties of a Tls.
             * @deprecated Use carillon.agent.v1.Tls.$Properties instead.
             */
            interface ITls extends carillon.agent.v1.Tls.$Properties {
            }

            /** Represents a Tls. */
            class Tls {

                /**
                 * Constructs a new Tls.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Tls.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Tls verify. */
                verify: string;

                /** Tls ca. */
                ca: string;

                /** Tls certificate. */
                certificate: string;

                /** Tls key. */
                key: string;

                /**
                 * Encodes the specified Tls message. Does not implicitly {@link carillon.agent.v1.Tls.verify|verify} messages.
                 * @param message Tls message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Tls.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Tls message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Tls & carillon.agent.v1.Tls.$Shape} Tls
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Tls & carillon.agent.v1.Tls.$Shape;
            }

            namespace Tls {

                /** Properties of a Tls. */
                interface $Properties {

                    /** Tls verify */
                    verify?: (string|null);

                    /** Tls ca */
                    ca?: (string|null);

                    /** Tls certificate */
                    certificate?: (string|null);

                    /** Tls key */
                    key?: (string|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Tls. */
                type $Shape = carillon.agent.v1.Tls.$Properties;
            }

            /**
             * Properties of a Dtmf.
             * @deprecated Use carillon.agent.v1.Dtmf.$Properties instead.
             */
            interface IDtmf extends carillon.agent.v1.Dtmf.$Properties {
            }

            /** Represents a Dtmf. */
            class Dtmf {

                /**
                 * Constructs a new Dtmf.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Dtmf.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Dtmf digits. */
                digits: string;

                /** Dtmf onMs. */
                onMs: number;

                /** Dtmf offMs. */
                offMs: number;

                /** Dtmf afterMs. */
                afterMs: number;

                /**
                 * Encodes the specified Dtmf message. Does not implicitly {@link carillon.agent.v1.Dtmf.verify|verify} messages.
                 * @param message Dtmf message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Dtmf.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Dtmf message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Dtmf & carillon.agent.v1.Dtmf.$Shape} Dtmf
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Dtmf & carillon.agent.v1.Dtmf.$Shape;
            }

            namespace Dtmf {

                /** Properties of a Dtmf. */
                interface $Properties {

                    /** Dtmf digits */
                    digits?: (string|null);

                    /** Dtmf onMs */
                    onMs?: (number|null);

                    /** Dtmf offMs */
                    offMs?: (number|null);

                    /** Dtmf afterMs */
                    afterMs?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Dtmf. */
                type $Shape = carillon.agent.v1.Dtmf.$Properties;
            }

            /**
             * Properties of an Action.
             * @deprecated Use carillon.agent.v1.Action.$Properties instead.
             */
            interface IAction extends carillon.agent.v1.Action.$Properties {
            }

            /** Represents an Action. */
            class Action {

                /**
                 * Constructs a new Action.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Action.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Action on. */
                on: string;

                /** Action afterMs. */
                afterMs: number;

                /** Action heard. */
                heard: string;

                /** Action do. */
                do: string;

                /** Action digits. */
                digits: string;

                /** Action by. */
                by: string;

                /** Action track. */
                track: string;

                /** Action target. */
                target: string;

                /**
                 * Encodes the specified Action message. Does not implicitly {@link carillon.agent.v1.Action.verify|verify} messages.
                 * @param message Action message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Action.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes an Action message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Action & carillon.agent.v1.Action.$Shape} Action
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Action & carillon.agent.v1.Action.$Shape;
            }

            namespace Action {

                /** Properties of an Action. */
                interface $Properties {

                    /** Action on */
                    on?: (string|null);

                    /** Action afterMs */
                    afterMs?: (number|null);

                    /** Action heard */
                    heard?: (string|null);

                    /** Action do */
                    "do"?: (string|null);

                    /** Action digits */
                    digits?: (string|null);

                    /** Action by */
                    by?: (string|null);

                    /** Action track */
                    track?: (string|null);

                    /** Action target */
                    target?: (string|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of an Action. */
                type $Shape = carillon.agent.v1.Action.$Properties;
            }

            /**
             * Properties of a Signalling.
             * @deprecated Use carillon.agent.v1.Signalling.$Properties instead.
             */
            interface ISignalling extends carillon.agent.v1.Signalling.$Properties {
            }

            /** Represents a Signalling. */
            class Signalling {

                /**
                 * Constructs a new Signalling.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Signalling.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Signalling reliableProvisional. */
                reliableProvisional: string;

                /** Signalling sessionExpiresSeconds. */
                sessionExpiresSeconds: number;

                /** Signalling sessionMinSeconds. */
                sessionMinSeconds: number;

                /** Signalling refresher. */
                refresher: string;

                /** Signalling delayedOffer. */
                delayedOffer: boolean;

                /** Signalling maxRedirects. */
                maxRedirects: number;

                /** Signalling answerDelayMs. */
                answerDelayMs: number;

                /** Signalling ringMs. */
                ringMs: number;

                /** Signalling provisional. */
                provisional: number;

                /** Signalling rejectStatus. */
                rejectStatus: number;

                /** Signalling correlate. */
                correlate: boolean;

                /** Signalling instanceId. */
                instanceId: string;

                /**
                 * Encodes the specified Signalling message. Does not implicitly {@link carillon.agent.v1.Signalling.verify|verify} messages.
                 * @param message Signalling message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Signalling.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Signalling message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Signalling & carillon.agent.v1.Signalling.$Shape} Signalling
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Signalling & carillon.agent.v1.Signalling.$Shape;
            }

            namespace Signalling {

                /** Properties of a Signalling. */
                interface $Properties {

                    /** Signalling reliableProvisional */
                    reliableProvisional?: (string|null);

                    /** Signalling sessionExpiresSeconds */
                    sessionExpiresSeconds?: (number|null);

                    /** Signalling sessionMinSeconds */
                    sessionMinSeconds?: (number|null);

                    /** Signalling refresher */
                    refresher?: (string|null);

                    /** Signalling delayedOffer */
                    delayedOffer?: (boolean|null);

                    /** Signalling maxRedirects */
                    maxRedirects?: (number|null);

                    /** Signalling answerDelayMs */
                    answerDelayMs?: (number|null);

                    /** Signalling ringMs */
                    ringMs?: (number|null);

                    /** Signalling provisional */
                    provisional?: (number|null);

                    /** Signalling rejectStatus */
                    rejectStatus?: (number|null);

                    /** Signalling correlate */
                    correlate?: (boolean|null);

                    /** Signalling instanceId */
                    instanceId?: (string|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Signalling. */
                type $Shape = carillon.agent.v1.Signalling.$Properties;
            }

            /**
             * Properties of a Breaker.
             * @deprecated Use carillon.agent.v1.Breaker.$Properties instead.
             */
            interface IBreaker extends carillon.agent.v1.Breaker.$Properties {
            }

            /** Represents a Breaker. */
            class Breaker {

                /**
                 * Constructs a new Breaker.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Breaker.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Breaker failurePercent. */
                failurePercent: number;

                /** Breaker minCalls. */
                minCalls: number;

                /** Breaker blockedCalls. */
                blockedCalls: number;

                /**
                 * Encodes the specified Breaker message. Does not implicitly {@link carillon.agent.v1.Breaker.verify|verify} messages.
                 * @param message Breaker message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Breaker.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Breaker message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Breaker & carillon.agent.v1.Breaker.$Shape} Breaker
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Breaker & carillon.agent.v1.Breaker.$Shape;
            }

            namespace Breaker {

                /** Properties of a Breaker. */
                interface $Properties {

                    /** Breaker failurePercent */
                    failurePercent?: (number|null);

                    /** Breaker minCalls */
                    minCalls?: (number|null);

                    /** Breaker blockedCalls */
                    blockedCalls?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Breaker. */
                type $Shape = carillon.agent.v1.Breaker.$Properties;
            }

            /**
             * Properties of an Impairment.
             * @deprecated Use carillon.agent.v1.Impairment.$Properties instead.
             */
            interface IImpairment extends carillon.agent.v1.Impairment.$Properties {
            }

            /** Represents an Impairment. */
            class Impairment {

                /**
                 * Constructs a new Impairment.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Impairment.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Impairment seed. */
                seed: number;

                /** Impairment lossPercent. */
                lossPercent: number;

                /** Impairment burstRatio. */
                burstRatio: number;

                /** Impairment delayMs. */
                delayMs: number;

                /** Impairment jitterMs. */
                jitterMs: number;

                /** Impairment jitterDistribution. */
                jitterDistribution: string;

                /** Impairment reorderPercent. */
                reorderPercent: number;

                /** Impairment duplicatePercent. */
                duplicatePercent: number;

                /**
                 * Encodes the specified Impairment message. Does not implicitly {@link carillon.agent.v1.Impairment.verify|verify} messages.
                 * @param message Impairment message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Impairment.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes an Impairment message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Impairment & carillon.agent.v1.Impairment.$Shape} Impairment
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Impairment & carillon.agent.v1.Impairment.$Shape;
            }

            namespace Impairment {

                /** Properties of an Impairment. */
                interface $Properties {

                    /** Impairment seed */
                    seed?: (number|null);

                    /** Impairment lossPercent */
                    lossPercent?: (number|null);

                    /** Impairment burstRatio */
                    burstRatio?: (number|null);

                    /** Impairment delayMs */
                    delayMs?: (number|null);

                    /** Impairment jitterMs */
                    jitterMs?: (number|null);

                    /** Impairment jitterDistribution */
                    jitterDistribution?: (string|null);

                    /** Impairment reorderPercent */
                    reorderPercent?: (number|null);

                    /** Impairment duplicatePercent */
                    duplicatePercent?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of an Impairment. */
                type $Shape = carillon.agent.v1.Impairment.$Properties;
            }

            /**
             * Properties of an Endpoints.
             * @deprecated Use carillon.agent.v1.Endpoints.$Properties instead.
             */
            interface IEndpoints extends carillon.agent.v1.Endpoints.$Properties {
            }

            /** Represents an Endpoints. */
            class Endpoints {

                /**
                 * Constructs a new Endpoints.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Endpoints.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Endpoints number. */
                number: number[];

                /** Endpoints listener. */
                listener: number[];

                /** Endpoints registerAtMs. */
                registerAtMs: number[];

                /** Endpoints callAtMs. */
                callAtMs: number[];

                /** Endpoints user. */
                user: string[];

                /** Endpoints accountUser. */
                accountUser: string[];

                /** Endpoints accountPassword. */
                accountPassword: string[];

                /** Endpoints targetUri. */
                targetUri: string[];

                /** Endpoints accountAuthName. */
                accountAuthName: string[];

                /** Endpoints accountHa1. */
                accountHa1: string[];

                /** Endpoints columns. */
                columns: carillon.agent.v1.Column.$Properties[];

                /**
                 * Encodes the specified Endpoints message. Does not implicitly {@link carillon.agent.v1.Endpoints.verify|verify} messages.
                 * @param message Endpoints message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Endpoints.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes an Endpoints message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Endpoints & carillon.agent.v1.Endpoints.$Shape} Endpoints
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Endpoints & carillon.agent.v1.Endpoints.$Shape;
            }

            namespace Endpoints {

                /** Properties of an Endpoints. */
                interface $Properties {

                    /** Endpoints number */
                    number?: (number[]|null);

                    /** Endpoints listener */
                    listener?: (number[]|null);

                    /** Endpoints registerAtMs */
                    registerAtMs?: (number[]|null);

                    /** Endpoints callAtMs */
                    callAtMs?: (number[]|null);

                    /** Endpoints user */
                    user?: (string[]|null);

                    /** Endpoints accountUser */
                    accountUser?: (string[]|null);

                    /** Endpoints accountPassword */
                    accountPassword?: (string[]|null);

                    /** Endpoints targetUri */
                    targetUri?: (string[]|null);

                    /** Endpoints accountAuthName */
                    accountAuthName?: (string[]|null);

                    /** Endpoints accountHa1 */
                    accountHa1?: (string[]|null);

                    /** Endpoints columns */
                    columns?: (carillon.agent.v1.Column.$Properties[]|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of an Endpoints. */
                type $Shape = carillon.agent.v1.Endpoints.$Properties;
            }

            /**
             * Properties of a Column.
             * @deprecated Use carillon.agent.v1.Column.$Properties instead.
             */
            interface IColumn extends carillon.agent.v1.Column.$Properties {
            }

            /** Represents a Column. */
            class Column {

                /**
                 * Constructs a new Column.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Column.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Column name. */
                name: string;

                /** Column value. */
                value: string[];

                /**
                 * Encodes the specified Column message. Does not implicitly {@link carillon.agent.v1.Column.verify|verify} messages.
                 * @param message Column message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Column.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Column message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Column & carillon.agent.v1.Column.$Shape} Column
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Column & carillon.agent.v1.Column.$Shape;
            }

            namespace Column {

                /** Properties of a Column. */
                interface $Properties {

                    /** Column name */
                    name?: (string|null);

                    /** Column value */
                    value?: (string[]|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Column. */
                type $Shape = carillon.agent.v1.Column.$Properties;
            }

            /**
             * Properties of a ChangeLoad.
             * @deprecated Use carillon.agent.v1.ChangeLoad.$Properties instead.
             */
            interface IChangeLoad extends carillon.agent.v1.ChangeLoad.$Properties {
            }

            /** Represents a ChangeLoad. */
            class ChangeLoad {

                /**
                 * Constructs a new ChangeLoad.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.ChangeLoad.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** ChangeLoad runId. */
                runId: Uint8Array;

                /** ChangeLoad allocationIds. */
                allocationIds: Uint8Array[];

                /** ChangeLoad steps. */
                steps: carillon.agent.v1.LoadStep.$Properties[];

                /**
                 * Encodes the specified ChangeLoad message. Does not implicitly {@link carillon.agent.v1.ChangeLoad.verify|verify} messages.
                 * @param message ChangeLoad message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.ChangeLoad.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a ChangeLoad message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.ChangeLoad & carillon.agent.v1.ChangeLoad.$Shape} ChangeLoad
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.ChangeLoad & carillon.agent.v1.ChangeLoad.$Shape;
            }

            namespace ChangeLoad {

                /** Properties of a ChangeLoad. */
                interface $Properties {

                    /** ChangeLoad runId */
                    runId?: (Uint8Array|null);

                    /** ChangeLoad allocationIds */
                    allocationIds?: (Uint8Array[]|null);

                    /** ChangeLoad steps */
                    steps?: (carillon.agent.v1.LoadStep.$Properties[]|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a ChangeLoad. */
                type $Shape = carillon.agent.v1.ChangeLoad.$Properties;
            }

            /**
             * Properties of a Start.
             * @deprecated Use carillon.agent.v1.Start.$Properties instead.
             */
            interface IStart extends carillon.agent.v1.Start.$Properties {
            }

            /** Represents a Start. */
            class Start {

                /**
                 * Constructs a new Start.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Start.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Start runId. */
                runId: Uint8Array;

                /** Start allocationIds. */
                allocationIds: Uint8Array[];

                /** Start startUnixMs. */
                startUnixMs: number;

                /**
                 * Encodes the specified Start message. Does not implicitly {@link carillon.agent.v1.Start.verify|verify} messages.
                 * @param message Start message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Start.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Start message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Start & carillon.agent.v1.Start.$Shape} Start
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Start & carillon.agent.v1.Start.$Shape;
            }

            namespace Start {

                /** Properties of a Start. */
                interface $Properties {

                    /** Start runId */
                    runId?: (Uint8Array|null);

                    /** Start allocationIds */
                    allocationIds?: (Uint8Array[]|null);

                    /** Start startUnixMs */
                    startUnixMs?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Start. */
                type $Shape = carillon.agent.v1.Start.$Properties;
            }

            /**
             * Properties of a Finish.
             * @deprecated Use carillon.agent.v1.Finish.$Properties instead.
             */
            interface IFinish extends carillon.agent.v1.Finish.$Properties {
            }

            /** Represents a Finish. */
            class Finish {

                /**
                 * Constructs a new Finish.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Finish.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Finish runId. */
                runId: Uint8Array;

                /** Finish allocationIds. */
                allocationIds: Uint8Array[];

                /**
                 * Encodes the specified Finish message. Does not implicitly {@link carillon.agent.v1.Finish.verify|verify} messages.
                 * @param message Finish message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Finish.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Finish message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Finish & carillon.agent.v1.Finish.$Shape} Finish
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Finish & carillon.agent.v1.Finish.$Shape;
            }

            namespace Finish {

                /** Properties of a Finish. */
                interface $Properties {

                    /** Finish runId */
                    runId?: (Uint8Array|null);

                    /** Finish allocationIds */
                    allocationIds?: (Uint8Array[]|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Finish. */
                type $Shape = carillon.agent.v1.Finish.$Properties;
            }

            /**
             * Properties of a BreakOff.
             * @deprecated Use carillon.agent.v1.BreakOff.$Properties instead.
             */
            interface IBreakOff extends carillon.agent.v1.BreakOff.$Properties {
            }

            /** Represents a BreakOff. */
            class BreakOff {

                /**
                 * Constructs a new BreakOff.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.BreakOff.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** BreakOff runId. */
                runId: Uint8Array;

                /** BreakOff allocationIds. */
                allocationIds: Uint8Array[];

                /** BreakOff reason. */
                reason: string;

                /** BreakOff untilUnixMs. */
                untilUnixMs: number;

                /**
                 * Encodes the specified BreakOff message. Does not implicitly {@link carillon.agent.v1.BreakOff.verify|verify} messages.
                 * @param message BreakOff message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.BreakOff.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a BreakOff message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.BreakOff & carillon.agent.v1.BreakOff.$Shape} BreakOff
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.BreakOff & carillon.agent.v1.BreakOff.$Shape;
            }

            namespace BreakOff {

                /** Properties of a BreakOff. */
                interface $Properties {

                    /** BreakOff runId */
                    runId?: (Uint8Array|null);

                    /** BreakOff allocationIds */
                    allocationIds?: (Uint8Array[]|null);

                    /** BreakOff reason */
                    reason?: (string|null);

                    /** BreakOff untilUnixMs */
                    untilUnixMs?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a BreakOff. */
                type $Shape = carillon.agent.v1.BreakOff.$Properties;
            }

            /**
             * Properties of a Stop.
             * @deprecated Use carillon.agent.v1.Stop.$Properties instead.
             */
            interface IStop extends carillon.agent.v1.Stop.$Properties {
            }

            /** Represents a Stop. */
            class Stop {

                /**
                 * Constructs a new Stop.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Stop.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Stop runId. */
                runId: Uint8Array;

                /** Stop allocationIds. */
                allocationIds: Uint8Array[];

                /** Stop reason. */
                reason: string;

                /**
                 * Encodes the specified Stop message. Does not implicitly {@link carillon.agent.v1.Stop.verify|verify} messages.
                 * @param message Stop message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Stop.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Stop message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Stop & carillon.agent.v1.Stop.$Shape} Stop
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Stop & carillon.agent.v1.Stop.$Shape;
            }

            namespace Stop {

                /** Properties of a Stop. */
                interface $Properties {

                    /** Stop runId */
                    runId?: (Uint8Array|null);

                    /** Stop allocationIds */
                    allocationIds?: (Uint8Array[]|null);

                    /** Stop reason */
                    reason?: (string|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Stop. */
                type $Shape = carillon.agent.v1.Stop.$Properties;
            }

            /**
             * Properties of a Facts.
             * @deprecated Use carillon.agent.v1.Facts.$Properties instead.
             */
            interface IFacts extends carillon.agent.v1.Facts.$Properties {
            }

            /** Represents a Facts. */
            class Facts {

                /**
                 * Constructs a new Facts.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Facts.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Facts allocations. */
                allocations: carillon.agent.v1.AllocationFacts.$Properties[];

                /** Facts noise. */
                noise: carillon.agent.v1.Noise.$Properties[];

                /**
                 * Encodes the specified Facts message. Does not implicitly {@link carillon.agent.v1.Facts.verify|verify} messages.
                 * @param message Facts message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Facts.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Facts message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Facts & carillon.agent.v1.Facts.$Shape} Facts
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Facts & carillon.agent.v1.Facts.$Shape;
            }

            namespace Facts {

                /** Properties of a Facts. */
                interface $Properties {

                    /** Facts allocations */
                    allocations?: (carillon.agent.v1.AllocationFacts.$Properties[]|null);

                    /** Facts noise */
                    noise?: (carillon.agent.v1.Noise.$Properties[]|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Facts. */
                type $Shape = carillon.agent.v1.Facts.$Properties;
            }

            /** AllocationState enum. */
            enum AllocationState {

                /** ALLOCATION_STATE_UNSPECIFIED value */
                ALLOCATION_STATE_UNSPECIFIED = 0,

                /** READY value */
                READY = 1,

                /** REFUSED value */
                REFUSED = 2,

                /** DONE value */
                DONE = 3
            }

            /**
             * Properties of an AllocationFacts.
             * @deprecated Use carillon.agent.v1.AllocationFacts.$Properties instead.
             */
            interface IAllocationFacts extends carillon.agent.v1.AllocationFacts.$Properties {
            }

            /** Represents an AllocationFacts. */
            class AllocationFacts {

                /**
                 * Constructs a new AllocationFacts.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.AllocationFacts.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** AllocationFacts allocationId. */
                allocationId: Uint8Array;

                /** AllocationFacts baseUnixMs. */
                baseUnixMs: number;

                /** AllocationFacts phases. */
                phases?: (carillon.agent.v1.Phases.$Properties|null);

                /** AllocationFacts outcomes. */
                outcomes: carillon.agent.v1.Outcome.$Properties[];

                /** AllocationFacts sipCounts. */
                sipCounts?: (carillon.agent.v1.SipCounts.$Properties|null);

                /** AllocationFacts messages. */
                messages: carillon.agent.v1.MessageChunk.$Properties[];

                /** AllocationFacts samples. */
                samples?: (carillon.agent.v1.Samples.$Properties|null);

                /** AllocationFacts streams. */
                streams: carillon.agent.v1.StreamTotals.$Properties[];

                /** AllocationFacts startNoise. */
                startNoise?: (carillon.agent.v1.StartNoise.$Properties|null);

                /** AllocationFacts state. */
                state: carillon.agent.v1.AllocationState;

                /** AllocationFacts reasonCode. */
                reasonCode: string;

                /** AllocationFacts reason. */
                reason: string;

                /** AllocationFacts actions. */
                actions?: (carillon.agent.v1.ActionsDone.$Properties|null);

                /** AllocationFacts breaches. */
                breaches: carillon.agent.v1.Breach.$Properties[];

                /** AllocationFacts strangers. */
                strangers: carillon.agent.v1.Strangers.$Properties[];

                /** AllocationFacts tally. */
                tally?: (carillon.agent.v1.CallTally.$Properties|null);

                /** AllocationFacts rtpHeaders. */
                rtpHeaders: carillon.agent.v1.RtpHeaders.$Properties[];

                /** AllocationFacts messageBlocks. */
                messageBlocks: carillon.agent.v1.MessageBlock.$Properties[];

                /** AllocationFacts progress. */
                progress?: (carillon.agent.v1.Phases.$Properties|null);

                /** AllocationFacts registrationEnds. */
                registrationEnds?: (carillon.agent.v1.RegistrationEnds.$Properties|null);

                /** AllocationFacts summedSamples. */
                summedSamples?: (carillon.agent.v1.Samples.$Properties|null);

                /** AllocationFacts storedSamples. */
                storedSamples?: (carillon.agent.v1.Samples.$Properties|null);

                /**
                 * Encodes the specified AllocationFacts message. Does not implicitly {@link carillon.agent.v1.AllocationFacts.verify|verify} messages.
                 * @param message AllocationFacts message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.AllocationFacts.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes an AllocationFacts message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.AllocationFacts & carillon.agent.v1.AllocationFacts.$Shape} AllocationFacts
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.AllocationFacts & carillon.agent.v1.AllocationFacts.$Shape;
            }

            namespace AllocationFacts {

                /** Properties of an AllocationFacts. */
                interface $Properties {

                    /** AllocationFacts allocationId */
                    allocationId?: (Uint8Array|null);

                    /** AllocationFacts baseUnixMs */
                    baseUnixMs?: (number|null);

                    /** AllocationFacts phases */
                    phases?: (carillon.agent.v1.Phases.$Properties|null);

                    /** AllocationFacts outcomes */
                    outcomes?: (carillon.agent.v1.Outcome.$Properties[]|null);

                    /** AllocationFacts sipCounts */
                    sipCounts?: (carillon.agent.v1.SipCounts.$Properties|null);

                    /** AllocationFacts messages */
                    messages?: (carillon.agent.v1.MessageChunk.$Properties[]|null);

                    /** AllocationFacts samples */
                    samples?: (carillon.agent.v1.Samples.$Properties|null);

                    /** AllocationFacts streams */
                    streams?: (carillon.agent.v1.StreamTotals.$Properties[]|null);

                    /** AllocationFacts startNoise */
                    startNoise?: (carillon.agent.v1.StartNoise.$Properties|null);

                    /** AllocationFacts state */
                    state?: (carillon.agent.v1.AllocationState|null);

                    /** AllocationFacts reasonCode */
                    reasonCode?: (string|null);

                    /** AllocationFacts reason */
                    reason?: (string|null);

                    /** AllocationFacts actions */
                    actions?: (carillon.agent.v1.ActionsDone.$Properties|null);

                    /** AllocationFacts breaches */
                    breaches?: (carillon.agent.v1.Breach.$Properties[]|null);

                    /** AllocationFacts strangers */
                    strangers?: (carillon.agent.v1.Strangers.$Properties[]|null);

                    /** AllocationFacts tally */
                    tally?: (carillon.agent.v1.CallTally.$Properties|null);

                    /** AllocationFacts rtpHeaders */
                    rtpHeaders?: (carillon.agent.v1.RtpHeaders.$Properties[]|null);

                    /** AllocationFacts messageBlocks */
                    messageBlocks?: (carillon.agent.v1.MessageBlock.$Properties[]|null);

                    /** AllocationFacts progress */
                    progress?: (carillon.agent.v1.Phases.$Properties|null);

                    /** AllocationFacts registrationEnds */
                    registrationEnds?: (carillon.agent.v1.RegistrationEnds.$Properties|null);

                    /** AllocationFacts summedSamples */
                    summedSamples?: (carillon.agent.v1.Samples.$Properties|null);

                    /** AllocationFacts storedSamples */
                    storedSamples?: (carillon.agent.v1.Samples.$Properties|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of an AllocationFacts. */
                type $Shape = carillon.agent.v1.AllocationFacts.$Properties;
            }

            /**
             * Properties of a RegistrationEnds.
             * @deprecated Use carillon.agent.v1.RegistrationEnds.$Properties instead.
             */
            interface IRegistrationEnds extends carillon.agent.v1.RegistrationEnds.$Properties {
            }

            /** Represents a RegistrationEnds. */
            class RegistrationEnds {

                /**
                 * Constructs a new RegistrationEnds.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.RegistrationEnds.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** RegistrationEnds endpoint. */
                endpoint: number[];

                /** RegistrationEnds refreshes. */
                refreshes: number[];

                /** RegistrationEnds refreshFailures. */
                refreshFailures: number[];

                /** RegistrationEnds refreshLapses. */
                refreshLapses: number[];

                /** RegistrationEnds refreshRecoveries. */
                refreshRecoveries: number[];

                /**
                 * Encodes the specified RegistrationEnds message. Does not implicitly {@link carillon.agent.v1.RegistrationEnds.verify|verify} messages.
                 * @param message RegistrationEnds message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.RegistrationEnds.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a RegistrationEnds message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.RegistrationEnds & carillon.agent.v1.RegistrationEnds.$Shape} RegistrationEnds
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.RegistrationEnds & carillon.agent.v1.RegistrationEnds.$Shape;
            }

            namespace RegistrationEnds {

                /** Properties of a RegistrationEnds. */
                interface $Properties {

                    /** RegistrationEnds endpoint */
                    endpoint?: (number[]|null);

                    /** RegistrationEnds refreshes */
                    refreshes?: (number[]|null);

                    /** RegistrationEnds refreshFailures */
                    refreshFailures?: (number[]|null);

                    /** RegistrationEnds refreshLapses */
                    refreshLapses?: (number[]|null);

                    /** RegistrationEnds refreshRecoveries */
                    refreshRecoveries?: (number[]|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a RegistrationEnds. */
                type $Shape = carillon.agent.v1.RegistrationEnds.$Properties;
            }

            /**
             * Properties of an ActionsDone.
             * @deprecated Use carillon.agent.v1.ActionsDone.$Properties instead.
             */
            interface IActionsDone extends carillon.agent.v1.ActionsDone.$Properties {
            }

            /** Represents an ActionsDone. */
            class ActionsDone {

                /**
                 * Constructs a new ActionsDone.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.ActionsDone.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** ActionsDone endpoint. */
                endpoint: number[];

                /** ActionsDone failed. */
                failed: boolean[];

                /** ActionsDone detail. */
                detail: string[];

                /** ActionsDone atMs. */
                atMs: number[];

                /**
                 * Encodes the specified ActionsDone message. Does not implicitly {@link carillon.agent.v1.ActionsDone.verify|verify} messages.
                 * @param message ActionsDone message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.ActionsDone.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes an ActionsDone message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.ActionsDone & carillon.agent.v1.ActionsDone.$Shape} ActionsDone
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.ActionsDone & carillon.agent.v1.ActionsDone.$Shape;
            }

            namespace ActionsDone {

                /** Properties of an ActionsDone. */
                interface $Properties {

                    /** ActionsDone endpoint */
                    endpoint?: (number[]|null);

                    /** ActionsDone failed */
                    failed?: (boolean[]|null);

                    /** ActionsDone detail */
                    detail?: (string[]|null);

                    /** ActionsDone atMs */
                    atMs?: (number[]|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of an ActionsDone. */
                type $Shape = carillon.agent.v1.ActionsDone.$Properties;
            }

            /**
             * Properties of a Breach.
             * @deprecated Use carillon.agent.v1.Breach.$Properties instead.
             */
            interface IBreach extends carillon.agent.v1.Breach.$Properties {
            }

            /** Represents a Breach. */
            class Breach {

                /**
                 * Constructs a new Breach.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Breach.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Breach atMs. */
                atMs: number;

                /** Breach reason. */
                reason: string;

                /** Breach untilUnixMs. */
                untilUnixMs: number;

                /**
                 * Encodes the specified Breach message. Does not implicitly {@link carillon.agent.v1.Breach.verify|verify} messages.
                 * @param message Breach message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Breach.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Breach message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Breach & carillon.agent.v1.Breach.$Shape} Breach
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Breach & carillon.agent.v1.Breach.$Shape;
            }

            namespace Breach {

                /** Properties of a Breach. */
                interface $Properties {

                    /** Breach atMs */
                    atMs?: (number|null);

                    /** Breach reason */
                    reason?: (string|null);

                    /** Breach untilUnixMs */
                    untilUnixMs?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Breach. */
                type $Shape = carillon.agent.v1.Breach.$Properties;
            }

            /**
             * Properties of a Strangers.
             * @deprecated Use carillon.agent.v1.Strangers.$Properties instead.
             */
            interface IStrangers extends carillon.agent.v1.Strangers.$Properties {
            }

            /** Represents a Strangers. */
            class Strangers {

                /**
                 * Constructs a new Strangers.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Strangers.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Strangers atMs. */
                atMs: number;

                /** Strangers count. */
                count: number;

                /** Strangers detail. */
                detail: string;

                /**
                 * Encodes the specified Strangers message. Does not implicitly {@link carillon.agent.v1.Strangers.verify|verify} messages.
                 * @param message Strangers message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Strangers.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Strangers message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Strangers & carillon.agent.v1.Strangers.$Shape} Strangers
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Strangers & carillon.agent.v1.Strangers.$Shape;
            }

            namespace Strangers {

                /** Properties of a Strangers. */
                interface $Properties {

                    /** Strangers atMs */
                    atMs?: (number|null);

                    /** Strangers count */
                    count?: (number|null);

                    /** Strangers detail */
                    detail?: (string|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Strangers. */
                type $Shape = carillon.agent.v1.Strangers.$Properties;
            }

            /**
             * Properties of a CallTally.
             * @deprecated Use carillon.agent.v1.CallTally.$Properties instead.
             */
            interface ICallTally extends carillon.agent.v1.CallTally.$Properties {
            }

            /** Represents a CallTally. */
            class CallTally {

                /**
                 * Constructs a new CallTally.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.CallTally.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** CallTally atMs. */
                atMs: number[];

                /** CallTally calls. */
                calls: number[];

                /** CallTally failures. */
                failures: number[];

                /** CallTally blocked. */
                blocked: number[];

                /**
                 * Encodes the specified CallTally message. Does not implicitly {@link carillon.agent.v1.CallTally.verify|verify} messages.
                 * @param message CallTally message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.CallTally.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a CallTally message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.CallTally & carillon.agent.v1.CallTally.$Shape} CallTally
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.CallTally & carillon.agent.v1.CallTally.$Shape;
            }

            namespace CallTally {

                /** Properties of a CallTally. */
                interface $Properties {

                    /** CallTally atMs */
                    atMs?: (number[]|null);

                    /** CallTally calls */
                    calls?: (number[]|null);

                    /** CallTally failures */
                    failures?: (number[]|null);

                    /** CallTally blocked */
                    blocked?: (number[]|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a CallTally. */
                type $Shape = carillon.agent.v1.CallTally.$Properties;
            }

            /** Phase enum. */
            enum Phase {

                /** INITIALIZING value */
                INITIALIZING = 0,

                /** REGISTERED value */
                REGISTERED = 1,

                /** CALLING value */
                CALLING = 2,

                /** RINGING value */
                RINGING = 3,

                /** NEGOTIATING value */
                NEGOTIATING = 4,

                /** INCALL value */
                INCALL = 5,

                /** DISCONNECTING value */
                DISCONNECTING = 6,

                /** CLOSED value */
                CLOSED = 7
            }

            /**
             * Properties of a Phases.
             * @deprecated Use carillon.agent.v1.Phases.$Properties instead.
             */
            interface IPhases extends carillon.agent.v1.Phases.$Properties {
            }

            /** Represents a Phases. */
            class Phases {

                /**
                 * Constructs a new Phases.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Phases.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Phases endpoint. */
                endpoint: number[];

                /** Phases phase. */
                phase: carillon.agent.v1.Phase[];

                /** Phases atMs. */
                atMs: number[];

                /**
                 * Encodes the specified Phases message. Does not implicitly {@link carillon.agent.v1.Phases.verify|verify} messages.
                 * @param message Phases message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Phases.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Phases message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Phases & carillon.agent.v1.Phases.$Shape} Phases
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Phases & carillon.agent.v1.Phases.$Shape;
            }

            namespace Phases {

                /** Properties of a Phases. */
                interface $Properties {

                    /** Phases endpoint */
                    endpoint?: (number[]|null);

                    /** Phases phase */
                    phase?: (carillon.agent.v1.Phase[]|null);

                    /** Phases atMs */
                    atMs?: (number[]|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Phases. */
                type $Shape = carillon.agent.v1.Phases.$Properties;
            }

            /**
             * Properties of an Outcome.
             * @deprecated Use carillon.agent.v1.Outcome.$Properties instead.
             */
            interface IOutcome extends carillon.agent.v1.Outcome.$Properties {
            }

            /** Represents an Outcome. */
            class Outcome {

                /**
                 * Constructs a new Outcome.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Outcome.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Outcome endpoint. */
                endpoint: number;

                /** Outcome outcome. */
                outcome: string;

                /** Outcome cause. */
                cause: string;

                /** Outcome causeText. */
                causeText: string;

                /** Outcome sipStatus. */
                sipStatus: number;

                /** Outcome attempted. */
                attempted: boolean;

                /** Outcome callResult. */
                callResult: string;

                /** Outcome finalStatus. */
                finalStatus: number;

                /** Outcome finalReason. */
                finalReason: string;

                /** Outcome rang. */
                rang: boolean;

                /** Outcome calleeUri. */
                calleeUri: string;

                /** Outcome callId. */
                callId: string;

                /** Outcome timeToTryingMs. */
                timeToTryingMs: number;

                /** Outcome timeToRingingMs. */
                timeToRingingMs: number;

                /** Outcome pddMs. */
                pddMs: number;

                /** Outcome callSetupMs. */
                callSetupMs: number;

                /** Outcome timeToFirstMediaMs. */
                timeToFirstMediaMs: number;

                /** Outcome callDurationMs. */
                callDurationMs: number;

                /** Outcome registerRttMs. */
                registerRttMs: number;

                /** Outcome inviteLateMs. */
                inviteLateMs: number;

                /** Outcome plannedUnixMs. */
                plannedUnixMs: number;

                /** Outcome endedBy. */
                endedBy: string;

                /** Outcome byeRttMs. */
                byeRttMs: number;

                /** Outcome timeToEarlyMediaMs. */
                timeToEarlyMediaMs?: (number|null);

                /** Outcome dnsMs. */
                dnsMs?: (number|null);

                /** Outcome failovers. */
                failovers: number;

                /** Outcome peerEndpoint. */
                peerEndpoint?: (number|null);

                /** Outcome connectMs. */
                connectMs?: (number|null);

                /** Outcome tlsMs. */
                tlsMs?: (number|null);

                /** Outcome tls. */
                tls: string;

                /** Outcome refreshes. */
                refreshes?: (number|null);

                /** Outcome refreshFailures. */
                refreshFailures?: (number|null);

                /** Outcome refreshLapses. */
                refreshLapses?: (number|null);

                /** Outcome refreshRecoveries. */
                refreshRecoveries?: (number|null);

                /** Outcome findings. */
                findings: carillon.agent.v1.Finding.$Properties[];

                /** Outcome q850. */
                q850: number;

                /** Outcome reasonText. */
                reasonText: string;

                /** Outcome warning. */
                warning: string;

                /** Outcome retryAfterSeconds. */
                retryAfterSeconds: number;

                /** Outcome awaitedMs. */
                awaitedMs: number;

                /** Outcome absentMs. */
                absentMs: number;

                /** Outcome pausedMs. */
                pausedMs: number;

                /** Outcome unreported. */
                unreported: boolean;

                /** Outcome ringDurationMs. */
                ringDurationMs?: (number|null);

                /** Outcome kept. */
                kept?: (boolean|null);

                /** Outcome callerUri. */
                callerUri: string;

                /** Outcome optionsRttMs. */
                optionsRttMs?: (number|null);

                /**
                 * Encodes the specified Outcome message. Does not implicitly {@link carillon.agent.v1.Outcome.verify|verify} messages.
                 * @param message Outcome message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Outcome.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes an Outcome message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Outcome & carillon.agent.v1.Outcome.$Shape} Outcome
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Outcome & carillon.agent.v1.Outcome.$Shape;
            }

            namespace Outcome {

                /** Properties of an Outcome. */
                interface $Properties {

                    /** Outcome endpoint */
                    endpoint?: (number|null);

                    /** Outcome outcome */
                    outcome?: (string|null);

                    /** Outcome cause */
                    cause?: (string|null);

                    /** Outcome causeText */
                    causeText?: (string|null);

                    /** Outcome sipStatus */
                    sipStatus?: (number|null);

                    /** Outcome attempted */
                    attempted?: (boolean|null);

                    /** Outcome callResult */
                    callResult?: (string|null);

                    /** Outcome finalStatus */
                    finalStatus?: (number|null);

                    /** Outcome finalReason */
                    finalReason?: (string|null);

                    /** Outcome rang */
                    rang?: (boolean|null);

                    /** Outcome calleeUri */
                    calleeUri?: (string|null);

                    /** Outcome callId */
                    callId?: (string|null);

                    /** Outcome timeToTryingMs */
                    timeToTryingMs?: (number|null);

                    /** Outcome timeToRingingMs */
                    timeToRingingMs?: (number|null);

                    /** Outcome pddMs */
                    pddMs?: (number|null);

                    /** Outcome callSetupMs */
                    callSetupMs?: (number|null);

                    /** Outcome timeToFirstMediaMs */
                    timeToFirstMediaMs?: (number|null);

                    /** Outcome callDurationMs */
                    callDurationMs?: (number|null);

                    /** Outcome registerRttMs */
                    registerRttMs?: (number|null);

                    /** Outcome inviteLateMs */
                    inviteLateMs?: (number|null);

                    /** Outcome plannedUnixMs */
                    plannedUnixMs?: (number|null);

                    /** Outcome endedBy */
                    endedBy?: (string|null);

                    /** Outcome byeRttMs */
                    byeRttMs?: (number|null);

                    /** Outcome timeToEarlyMediaMs */
                    timeToEarlyMediaMs?: (number|null);

                    /** Outcome dnsMs */
                    dnsMs?: (number|null);

                    /** Outcome failovers */
                    failovers?: (number|null);

                    /** Outcome peerEndpoint */
                    peerEndpoint?: (number|null);

                    /** Outcome connectMs */
                    connectMs?: (number|null);

                    /** Outcome tlsMs */
                    tlsMs?: (number|null);

                    /** Outcome tls */
                    tls?: (string|null);

                    /** Outcome refreshes */
                    refreshes?: (number|null);

                    /** Outcome refreshFailures */
                    refreshFailures?: (number|null);

                    /** Outcome refreshLapses */
                    refreshLapses?: (number|null);

                    /** Outcome refreshRecoveries */
                    refreshRecoveries?: (number|null);

                    /** Outcome findings */
                    findings?: (carillon.agent.v1.Finding.$Properties[]|null);

                    /** Outcome q850 */
                    q850?: (number|null);

                    /** Outcome reasonText */
                    reasonText?: (string|null);

                    /** Outcome warning */
                    warning?: (string|null);

                    /** Outcome retryAfterSeconds */
                    retryAfterSeconds?: (number|null);

                    /** Outcome awaitedMs */
                    awaitedMs?: (number|null);

                    /** Outcome absentMs */
                    absentMs?: (number|null);

                    /** Outcome pausedMs */
                    pausedMs?: (number|null);

                    /** Outcome unreported */
                    unreported?: (boolean|null);

                    /** Outcome ringDurationMs */
                    ringDurationMs?: (number|null);

                    /** Outcome kept */
                    kept?: (boolean|null);

                    /** Outcome callerUri */
                    callerUri?: (string|null);

                    /** Outcome optionsRttMs */
                    optionsRttMs?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of an Outcome. */
                type $Shape = carillon.agent.v1.Outcome.$Properties;
            }

            /**
             * Properties of a Finding.
             * @deprecated Use carillon.agent.v1.Finding.$Properties instead.
             */
            interface IFinding extends carillon.agent.v1.Finding.$Properties {
            }

            /** Represents a Finding. */
            class Finding {

                /**
                 * Constructs a new Finding.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Finding.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Finding kind. */
                kind: string;

                /** Finding stream. */
                stream?: (number|null);

                /** Finding atUnixMs. */
                atUnixMs: number;

                /** Finding lastedMs. */
                lastedMs: number;

                /** Finding count. */
                count: number;

                /** Finding of. */
                of: number;

                /** Finding detail. */
                detail: string;

                /** Finding tolerated. */
                tolerated: boolean;

                /**
                 * Encodes the specified Finding message. Does not implicitly {@link carillon.agent.v1.Finding.verify|verify} messages.
                 * @param message Finding message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Finding.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Finding message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Finding & carillon.agent.v1.Finding.$Shape} Finding
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Finding & carillon.agent.v1.Finding.$Shape;
            }

            namespace Finding {

                /** Properties of a Finding. */
                interface $Properties {

                    /** Finding kind */
                    kind?: (string|null);

                    /** Finding stream */
                    stream?: (number|null);

                    /** Finding atUnixMs */
                    atUnixMs?: (number|null);

                    /** Finding lastedMs */
                    lastedMs?: (number|null);

                    /** Finding count */
                    count?: (number|null);

                    /** Finding of */
                    of?: (number|null);

                    /** Finding detail */
                    detail?: (string|null);

                    /** Finding tolerated */
                    tolerated?: (boolean|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Finding. */
                type $Shape = carillon.agent.v1.Finding.$Properties;
            }

            /**
             * Properties of a SipCounts.
             * @deprecated Use carillon.agent.v1.SipCounts.$Properties instead.
             */
            interface ISipCounts extends carillon.agent.v1.SipCounts.$Properties {
            }

            /** Represents a SipCounts. */
            class SipCounts {

                /**
                 * Constructs a new SipCounts.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.SipCounts.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** SipCounts sent. */
                sent: boolean[];

                /** SipCounts method. */
                method: string[];

                /** SipCounts status. */
                status: number[];

                /** SipCounts reason. */
                reason: string[];

                /** SipCounts count. */
                count: number[];

                /** SipCounts retransmissions. */
                retransmissions: number[];

                /**
                 * Encodes the specified SipCounts message. Does not implicitly {@link carillon.agent.v1.SipCounts.verify|verify} messages.
                 * @param message SipCounts message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.SipCounts.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a SipCounts message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.SipCounts & carillon.agent.v1.SipCounts.$Shape} SipCounts
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.SipCounts & carillon.agent.v1.SipCounts.$Shape;
            }

            namespace SipCounts {

                /** Properties of a SipCounts. */
                interface $Properties {

                    /** SipCounts sent */
                    sent?: (boolean[]|null);

                    /** SipCounts method */
                    method?: (string[]|null);

                    /** SipCounts status */
                    status?: (number[]|null);

                    /** SipCounts reason */
                    reason?: (string[]|null);

                    /** SipCounts count */
                    count?: (number[]|null);

                    /** SipCounts retransmissions */
                    retransmissions?: (number[]|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a SipCounts. */
                type $Shape = carillon.agent.v1.SipCounts.$Properties;
            }

            /**
             * Properties of a MessageChunk.
             * @deprecated Use carillon.agent.v1.MessageChunk.$Properties instead.
             */
            interface IMessageChunk extends carillon.agent.v1.MessageChunk.$Properties {
            }

            /** Represents a MessageChunk. */
            class MessageChunk {

                /**
                 * Constructs a new MessageChunk.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.MessageChunk.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** MessageChunk endpoint. */
                endpoint: number;

                /** MessageChunk first. */
                first: number;

                /** MessageChunk text. */
                text: Uint8Array;

                /** MessageChunk atMs. */
                atMs: number[];

                /** MessageChunk sent. */
                sent: boolean[];

                /** MessageChunk length. */
                length: number[];

                /** MessageChunk method. */
                method: string[];

                /** MessageChunk status. */
                status: number[];

                /** MessageChunk retransmission. */
                retransmission: boolean[];

                /** MessageChunk peer. */
                peer: string[];

                /** MessageChunk callId. */
                callId: string[];

                /** MessageChunk localAddress. */
                localAddress: string;

                /** MessageChunk transport. */
                transport: string[];

                /** MessageChunk localPort. */
                localPort: number[];

                /**
                 * Encodes the specified MessageChunk message. Does not implicitly {@link carillon.agent.v1.MessageChunk.verify|verify} messages.
                 * @param message MessageChunk message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.MessageChunk.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a MessageChunk message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.MessageChunk & carillon.agent.v1.MessageChunk.$Shape} MessageChunk
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.MessageChunk & carillon.agent.v1.MessageChunk.$Shape;
            }

            namespace MessageChunk {

                /** Properties of a MessageChunk. */
                interface $Properties {

                    /** MessageChunk endpoint */
                    endpoint?: (number|null);

                    /** MessageChunk first */
                    first?: (number|null);

                    /** MessageChunk text */
                    text?: (Uint8Array|null);

                    /** MessageChunk atMs */
                    atMs?: (number[]|null);

                    /** MessageChunk sent */
                    sent?: (boolean[]|null);

                    /** MessageChunk length */
                    length?: (number[]|null);

                    /** MessageChunk method */
                    method?: (string[]|null);

                    /** MessageChunk status */
                    status?: (number[]|null);

                    /** MessageChunk retransmission */
                    retransmission?: (boolean[]|null);

                    /** MessageChunk peer */
                    peer?: (string[]|null);

                    /** MessageChunk callId */
                    callId?: (string[]|null);

                    /** MessageChunk localAddress */
                    localAddress?: (string|null);

                    /** MessageChunk transport */
                    transport?: (string[]|null);

                    /** MessageChunk localPort */
                    localPort?: (number[]|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a MessageChunk. */
                type $Shape = carillon.agent.v1.MessageChunk.$Properties;
            }

            /**
             * Properties of a MessageBlock.
             * @deprecated Use carillon.agent.v1.MessageBlock.$Properties instead.
             */
            interface IMessageBlock extends carillon.agent.v1.MessageBlock.$Properties {
            }

            /** Represents a MessageBlock. */
            class MessageBlock {

                /**
                 * Constructs a new MessageBlock.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.MessageBlock.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** MessageBlock text. */
                text: Uint8Array;

                /** MessageBlock localAddress. */
                localAddress: string;

                /** MessageBlock words. */
                words: string[];

                /** MessageBlock endpoint. */
                endpoint: number[];

                /** MessageBlock number. */
                number: number[];

                /** MessageBlock length. */
                length: number[];

                /** MessageBlock atMs. */
                atMs: number[];

                /** MessageBlock kind. */
                kind: number[];

                /** MessageBlock method. */
                method: number[];

                /** MessageBlock callId. */
                callId: number[];

                /** MessageBlock peer. */
                peer: number[];

                /** MessageBlock transport. */
                transport: number[];

                /** MessageBlock localPort. */
                localPort: number[];

                /**
                 * Encodes the specified MessageBlock message. Does not implicitly {@link carillon.agent.v1.MessageBlock.verify|verify} messages.
                 * @param message MessageBlock message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.MessageBlock.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a MessageBlock message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.MessageBlock & carillon.agent.v1.MessageBlock.$Shape} MessageBlock
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.MessageBlock & carillon.agent.v1.MessageBlock.$Shape;
            }

            namespace MessageBlock {

                /** Properties of a MessageBlock. */
                interface $Properties {

                    /** MessageBlock text */
                    text?: (Uint8Array|null);

                    /** MessageBlock localAddress */
                    localAddress?: (string|null);

                    /** MessageBlock words */
                    words?: (string[]|null);

                    /** MessageBlock endpoint */
                    endpoint?: (number[]|null);

                    /** MessageBlock number */
                    number?: (number[]|null);

                    /** MessageBlock length */
                    length?: (number[]|null);

                    /** MessageBlock atMs */
                    atMs?: (number[]|null);

                    /** MessageBlock kind */
                    kind?: (number[]|null);

                    /** MessageBlock method */
                    method?: (number[]|null);

                    /** MessageBlock callId */
                    callId?: (number[]|null);

                    /** MessageBlock peer */
                    peer?: (number[]|null);

                    /** MessageBlock transport */
                    transport?: (number[]|null);

                    /** MessageBlock localPort */
                    localPort?: (number[]|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a MessageBlock. */
                type $Shape = carillon.agent.v1.MessageBlock.$Properties;
            }

            /**
             * Properties of a RtpHeaders.
             * @deprecated Use carillon.agent.v1.RtpHeaders.$Properties instead.
             */
            interface IRtpHeaders extends carillon.agent.v1.RtpHeaders.$Properties {
            }

            /** Represents a RtpHeaders. */
            class RtpHeaders {

                /**
                 * Constructs a new RtpHeaders.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.RtpHeaders.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** RtpHeaders endpoint. */
                endpoint: number;

                /** RtpHeaders stream. */
                stream: number;

                /** RtpHeaders localAddress. */
                localAddress: string;

                /** RtpHeaders localPort. */
                localPort: number;

                /** RtpHeaders peer. */
                peer: string;

                /** RtpHeaders header. */
                header: Uint8Array;

                /** RtpHeaders headerBytes. */
                headerBytes: number[];

                /** RtpHeaders packetBytes. */
                packetBytes: number[];

                /** RtpHeaders sent. */
                sent: boolean[];

                /** RtpHeaders atMs. */
                atMs: number[];

                /**
                 * Encodes the specified RtpHeaders message. Does not implicitly {@link carillon.agent.v1.RtpHeaders.verify|verify} messages.
                 * @param message RtpHeaders message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.RtpHeaders.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a RtpHeaders message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.RtpHeaders & carillon.agent.v1.RtpHeaders.$Shape} RtpHeaders
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.RtpHeaders & carillon.agent.v1.RtpHeaders.$Shape;
            }

            namespace RtpHeaders {

                /** Properties of a RtpHeaders. */
                interface $Properties {

                    /** RtpHeaders endpoint */
                    endpoint?: (number|null);

                    /** RtpHeaders stream */
                    stream?: (number|null);

                    /** RtpHeaders localAddress */
                    localAddress?: (string|null);

                    /** RtpHeaders localPort */
                    localPort?: (number|null);

                    /** RtpHeaders peer */
                    peer?: (string|null);

                    /** RtpHeaders header */
                    header?: (Uint8Array|null);

                    /** RtpHeaders headerBytes */
                    headerBytes?: (number[]|null);

                    /** RtpHeaders packetBytes */
                    packetBytes?: (number[]|null);

                    /** RtpHeaders sent */
                    sent?: (boolean[]|null);

                    /** RtpHeaders atMs */
                    atMs?: (number[]|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a RtpHeaders. */
                type $Shape = carillon.agent.v1.RtpHeaders.$Properties;
            }

            /**
             * Properties of a Samples.
             * @deprecated Use carillon.agent.v1.Samples.$Properties instead.
             */
            interface ISamples extends carillon.agent.v1.Samples.$Properties {
            }

            /** Represents a Samples. */
            class Samples {

                /**
                 * Constructs a new Samples.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Samples.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Samples endpoint. */
                endpoint: number[];

                /** Samples stream. */
                stream: number[];

                /** Samples atMs. */
                atMs: number[];

                /** Samples intervalMs. */
                intervalMs: number[];

                /** Samples packetsSent. */
                packetsSent: number[];

                /** Samples packetsReceived. */
                packetsReceived: number[];

                /** Samples expected. */
                expected: number[];

                /** Samples lost. */
                lost: number[];

                /** Samples discarded. */
                discarded: number[];

                /** Samples duplicates. */
                duplicates: number[];

                /** Samples reordered. */
                reordered: number[];

                /** Samples plcEvents. */
                plcEvents: number[];

                /** Samples jitterMs. */
                jitterMs: number[];

                /** Samples jitterMaxMs. */
                jitterMaxMs: number[];

                /** Samples rttMs. */
                rttMs: number[];

                /** Samples mos. */
                mos: number[];

                /** Samples rFactor. */
                rFactor: number[];

                /** Samples remoteLossFraction. */
                remoteLossFraction: number[];

                /** Samples remoteJitterMs. */
                remoteJitterMs: number[];

                /** Samples octetsReceived. */
                octetsReceived: number[];

                /** Samples absent. */
                absent: number[];

                /** Samples paused. */
                paused: number[];

                /** Samples scale. */
                scale: carillon.agent.v1.Scale[];

                /**
                 * Encodes the specified Samples message. Does not implicitly {@link carillon.agent.v1.Samples.verify|verify} messages.
                 * @param message Samples message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Samples.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Samples message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Samples & carillon.agent.v1.Samples.$Shape} Samples
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Samples & carillon.agent.v1.Samples.$Shape;
            }

            namespace Samples {

                /** Properties of a Samples. */
                interface $Properties {

                    /** Samples endpoint */
                    endpoint?: (number[]|null);

                    /** Samples stream */
                    stream?: (number[]|null);

                    /** Samples atMs */
                    atMs?: (number[]|null);

                    /** Samples intervalMs */
                    intervalMs?: (number[]|null);

                    /** Samples packetsSent */
                    packetsSent?: (number[]|null);

                    /** Samples packetsReceived */
                    packetsReceived?: (number[]|null);

                    /** Samples expected */
                    expected?: (number[]|null);

                    /** Samples lost */
                    lost?: (number[]|null);

                    /** Samples discarded */
                    discarded?: (number[]|null);

                    /** Samples duplicates */
                    duplicates?: (number[]|null);

                    /** Samples reordered */
                    reordered?: (number[]|null);

                    /** Samples plcEvents */
                    plcEvents?: (number[]|null);

                    /** Samples jitterMs */
                    jitterMs?: (number[]|null);

                    /** Samples jitterMaxMs */
                    jitterMaxMs?: (number[]|null);

                    /** Samples rttMs */
                    rttMs?: (number[]|null);

                    /** Samples mos */
                    mos?: (number[]|null);

                    /** Samples rFactor */
                    rFactor?: (number[]|null);

                    /** Samples remoteLossFraction */
                    remoteLossFraction?: (number[]|null);

                    /** Samples remoteJitterMs */
                    remoteJitterMs?: (number[]|null);

                    /** Samples octetsReceived */
                    octetsReceived?: (number[]|null);

                    /** Samples absent */
                    absent?: (number[]|null);

                    /** Samples paused */
                    paused?: (number[]|null);

                    /** Samples scale */
                    scale?: (carillon.agent.v1.Scale[]|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Samples. */
                type $Shape = carillon.agent.v1.Samples.$Properties;
            }

            /** Scale enum. */
            enum Scale {

                /** UNRATED value */
                UNRATED = 0,

                /** NB value */
                NB = 1,

                /** WB value */
                WB = 2,

                /** FB value */
                FB = 3
            }

            /**
             * Properties of a StreamTotals.
             * @deprecated Use carillon.agent.v1.StreamTotals.$Properties instead.
             */
            interface IStreamTotals extends carillon.agent.v1.StreamTotals.$Properties {
            }

            /** Represents a StreamTotals. */
            class StreamTotals {

                /**
                 * Constructs a new StreamTotals.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.StreamTotals.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** StreamTotals endpoint. */
                endpoint: number;

                /** StreamTotals stream. */
                stream: number;

                /** StreamTotals codec. */
                codec: string;

                /** StreamTotals ssrcSent. */
                ssrcSent: number;

                /** StreamTotals ssrcReceived. */
                ssrcReceived: number;

                /** StreamTotals remote. */
                remote: string;

                /** StreamTotals packetsSent. */
                packetsSent: number;

                /** StreamTotals octetsSent. */
                octetsSent: number;

                /** StreamTotals packetsReceived. */
                packetsReceived: number;

                /** StreamTotals octetsReceived. */
                octetsReceived: number;

                /** StreamTotals expected. */
                expected: number;

                /** StreamTotals lost. */
                lost: number;

                /** StreamTotals discarded. */
                discarded: number;

                /** StreamTotals duplicates. */
                duplicates: number;

                /** StreamTotals reordered. */
                reordered: number;

                /** StreamTotals ssrcChanges. */
                ssrcChanges: number;

                /** StreamTotals plcEvents. */
                plcEvents: number;

                /** StreamTotals plcMs. */
                plcMs: number;

                /** StreamTotals jitterMeanMs. */
                jitterMeanMs: number;

                /** StreamTotals jitterMaxMs. */
                jitterMaxMs: number;

                /** StreamTotals rttMeanMs. */
                rttMeanMs: number;

                /** StreamTotals rttMaxMs. */
                rttMaxMs: number;

                /** StreamTotals rttCount. */
                rttCount: number;

                /** StreamTotals mos. */
                mos: number;

                /** StreamTotals rFactor. */
                rFactor: number;

                /** StreamTotals burstRatio. */
                burstRatio: number;

                /** StreamTotals feedback. */
                feedback: boolean;

                /** StreamTotals remoteLost. */
                remoteLost: number;

                /** StreamTotals remoteJitterMs. */
                remoteJitterMs: number;

                /** StreamTotals nackCount. */
                nackCount: number;

                /** StreamTotals pliCount. */
                pliCount: number;

                /** StreamTotals firCount. */
                firCount: number;

                /** StreamTotals sendsSkipped. */
                sendsSkipped: number;

                /** StreamTotals localPort. */
                localPort: number;

                /** StreamTotals scale. */
                scale: carillon.agent.v1.Scale;

                /** StreamTotals details. */
                details?: (carillon.agent.v1.StreamDetails.$Properties|null);

                /** StreamTotals absent. */
                absent: number;

                /** StreamTotals paused. */
                paused: number;

                /** StreamTotals figuresOnly. */
                figuresOnly: boolean;

                /**
                 * Encodes the specified StreamTotals message. Does not implicitly {@link carillon.agent.v1.StreamTotals.verify|verify} messages.
                 * @param message StreamTotals message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.StreamTotals.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a StreamTotals message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.StreamTotals & carillon.agent.v1.StreamTotals.$Shape} StreamTotals
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.StreamTotals & carillon.agent.v1.StreamTotals.$Shape;
            }

            namespace StreamTotals {

                /** Properties of a StreamTotals. */
                interface $Properties {

                    /** StreamTotals endpoint */
                    endpoint?: (number|null);

                    /** StreamTotals stream */
                    stream?: (number|null);

                    /** StreamTotals codec */
                    codec?: (string|null);

                    /** StreamTotals ssrcSent */
                    ssrcSent?: (number|null);

                    /** StreamTotals ssrcReceived */
                    ssrcReceived?: (number|null);

                    /** StreamTotals remote */
                    remote?: (string|null);

                    /** StreamTotals packetsSent */
                    packetsSent?: (number|null);

                    /** StreamTotals octetsSent */
                    octetsSent?: (number|null);

                    /** StreamTotals packetsReceived */
                    packetsReceived?: (number|null);

                    /** StreamTotals octetsReceived */
                    octetsReceived?: (number|null);

                    /** StreamTotals expected */
                    expected?: (number|null);

                    /** StreamTotals lost */
                    lost?: (number|null);

                    /** StreamTotals discarded */
                    discarded?: (number|null);

                    /** StreamTotals duplicates */
                    duplicates?: (number|null);

                    /** StreamTotals reordered */
                    reordered?: (number|null);

                    /** StreamTotals ssrcChanges */
                    ssrcChanges?: (number|null);

                    /** StreamTotals plcEvents */
                    plcEvents?: (number|null);

                    /** StreamTotals plcMs */
                    plcMs?: (number|null);

                    /** StreamTotals jitterMeanMs */
                    jitterMeanMs?: (number|null);

                    /** StreamTotals jitterMaxMs */
                    jitterMaxMs?: (number|null);

                    /** StreamTotals rttMeanMs */
                    rttMeanMs?: (number|null);

                    /** StreamTotals rttMaxMs */
                    rttMaxMs?: (number|null);

                    /** StreamTotals rttCount */
                    rttCount?: (number|null);

                    /** StreamTotals mos */
                    mos?: (number|null);

                    /** StreamTotals rFactor */
                    rFactor?: (number|null);

                    /** StreamTotals burstRatio */
                    burstRatio?: (number|null);

                    /** StreamTotals feedback */
                    feedback?: (boolean|null);

                    /** StreamTotals remoteLost */
                    remoteLost?: (number|null);

                    /** StreamTotals remoteJitterMs */
                    remoteJitterMs?: (number|null);

                    /** StreamTotals nackCount */
                    nackCount?: (number|null);

                    /** StreamTotals pliCount */
                    pliCount?: (number|null);

                    /** StreamTotals firCount */
                    firCount?: (number|null);

                    /** StreamTotals sendsSkipped */
                    sendsSkipped?: (number|null);

                    /** StreamTotals localPort */
                    localPort?: (number|null);

                    /** StreamTotals scale */
                    scale?: (carillon.agent.v1.Scale|null);

                    /** StreamTotals details */
                    details?: (carillon.agent.v1.StreamDetails.$Properties|null);

                    /** StreamTotals absent */
                    absent?: (number|null);

                    /** StreamTotals paused */
                    paused?: (number|null);

                    /** StreamTotals figuresOnly */
                    figuresOnly?: (boolean|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a StreamTotals. */
                type $Shape = carillon.agent.v1.StreamTotals.$Properties;
            }

            /**
             * Properties of a StreamDetails.
             * @deprecated Use carillon.agent.v1.StreamDetails.$Properties instead.
             */
            interface IStreamDetails extends carillon.agent.v1.StreamDetails.$Properties {
            }

            /** Represents a StreamDetails. */
            class StreamDetails {

                /**
                 * Constructs a new StreamDetails.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.StreamDetails.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** StreamDetails emodelVariant. */
                emodelVariant: string;

                /** StreamDetails delaySource. */
                delaySource: string;

                /** StreamDetails mosLq. */
                mosLq: number;

                /** StreamDetails delayVariation. */
                delayVariation?: (carillon.agent.v1.DelayVariation.$Properties|null);

                /** StreamDetails bursts. */
                bursts?: (carillon.agent.v1.Bursts.$Properties|null);

                /** StreamDetails fixed. */
                fixed?: (carillon.agent.v1.Playout.$Properties|null);

                /** StreamDetails adaptive. */
                adaptive?: (carillon.agent.v1.Playout.$Properties|null);

                /** StreamDetails clockDriftPpm. */
                clockDriftPpm: number;

                /** StreamDetails restarts. */
                restarts: number;

                /** StreamDetails reorderExtentMax. */
                reorderExtentMax: number;

                /** StreamDetails talkspurts. */
                talkspurts: number;

                /** StreamDetails comfortNoisePackets. */
                comfortNoisePackets: number;

                /** StreamDetails eventPackets. */
                eventPackets: number;

                /** StreamDetails unexpectedPayloadTypes. */
                unexpectedPayloadTypes: number;

                /** StreamDetails receiveDrops. */
                receiveDrops: number;

                /** StreamDetails foreign. */
                foreign: number;

                /** StreamDetails followed. */
                followed: number;

                /** StreamDetails sound. */
                sound?: (carillon.agent.v1.Sound.$Properties|null);

                /** StreamDetails oneWayAudio. */
                oneWayAudio: string;

                /** StreamDetails remoteLossFraction. */
                remoteLossFraction: number;

                /** StreamDetails remoteXr. */
                remoteXr?: (carillon.agent.v1.RemoteVoipMetrics.$Properties|null);

                /** StreamDetails digitsSent. */
                digitsSent: string;

                /** StreamDetails digitsReceived. */
                digitsReceived: string;

                /** StreamDetails dscp. */
                dscp?: (number|null);

                /** StreamDetails injected. */
                injected?: (carillon.agent.v1.Injected.$Properties|null);

                /** StreamDetails security. */
                security?: (carillon.agent.v1.Security.$Properties|null);

                /** StreamDetails video. */
                video?: (carillon.agent.v1.Video.$Properties|null);

                /** StreamDetails absence. */
                absence?: (carillon.agent.v1.Absence.$Properties|null);

                /** StreamDetails unreachable. */
                unreachable: number;

                /** StreamDetails longestGapMs. */
                longestGapMs: number;

                /** StreamDetails ice. */
                ice?: (carillon.agent.v1.Ice.$Properties|null);

                /**
                 * Encodes the specified StreamDetails message. Does not implicitly {@link carillon.agent.v1.StreamDetails.verify|verify} messages.
                 * @param message StreamDetails message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.StreamDetails.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a StreamDetails message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.StreamDetails & carillon.agent.v1.StreamDetails.$Shape} StreamDetails
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.StreamDetails & carillon.agent.v1.StreamDetails.$Shape;
            }

            namespace StreamDetails {

                /** Properties of a StreamDetails. */
                interface $Properties {

                    /** StreamDetails emodelVariant */
                    emodelVariant?: (string|null);

                    /** StreamDetails delaySource */
                    delaySource?: (string|null);

                    /** StreamDetails mosLq */
                    mosLq?: (number|null);

                    /** StreamDetails delayVariation */
                    delayVariation?: (carillon.agent.v1.DelayVariation.$Properties|null);

                    /** StreamDetails bursts */
                    bursts?: (carillon.agent.v1.Bursts.$Properties|null);

                    /** StreamDetails fixed */
                    fixed?: (carillon.agent.v1.Playout.$Properties|null);

                    /** StreamDetails adaptive */
                    adaptive?: (carillon.agent.v1.Playout.$Properties|null);

                    /** StreamDetails clockDriftPpm */
                    clockDriftPpm?: (number|null);

                    /** StreamDetails restarts */
                    restarts?: (number|null);

                    /** StreamDetails reorderExtentMax */
                    reorderExtentMax?: (number|null);

                    /** StreamDetails talkspurts */
                    talkspurts?: (number|null);

                    /** StreamDetails comfortNoisePackets */
                    comfortNoisePackets?: (number|null);

                    /** StreamDetails eventPackets */
                    eventPackets?: (number|null);

                    /** StreamDetails unexpectedPayloadTypes */
                    unexpectedPayloadTypes?: (number|null);

                    /** StreamDetails receiveDrops */
                    receiveDrops?: (number|null);

                    /** StreamDetails foreign */
                    foreign?: (number|null);

                    /** StreamDetails followed */
                    followed?: (number|null);

                    /** StreamDetails sound */
                    sound?: (carillon.agent.v1.Sound.$Properties|null);

                    /** StreamDetails oneWayAudio */
                    oneWayAudio?: (string|null);

                    /** StreamDetails remoteLossFraction */
                    remoteLossFraction?: (number|null);

                    /** StreamDetails remoteXr */
                    remoteXr?: (carillon.agent.v1.RemoteVoipMetrics.$Properties|null);

                    /** StreamDetails digitsSent */
                    digitsSent?: (string|null);

                    /** StreamDetails digitsReceived */
                    digitsReceived?: (string|null);

                    /** StreamDetails dscp */
                    dscp?: (number|null);

                    /** StreamDetails injected */
                    injected?: (carillon.agent.v1.Injected.$Properties|null);

                    /** StreamDetails security */
                    security?: (carillon.agent.v1.Security.$Properties|null);

                    /** StreamDetails video */
                    video?: (carillon.agent.v1.Video.$Properties|null);

                    /** StreamDetails absence */
                    absence?: (carillon.agent.v1.Absence.$Properties|null);

                    /** StreamDetails unreachable */
                    unreachable?: (number|null);

                    /** StreamDetails longestGapMs */
                    longestGapMs?: (number|null);

                    /** StreamDetails ice */
                    ice?: (carillon.agent.v1.Ice.$Properties|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a StreamDetails. */
                type $Shape = carillon.agent.v1.StreamDetails.$Properties;
            }

            /**
             * Properties of an Absence.
             * @deprecated Use carillon.agent.v1.Absence.$Properties instead.
             */
            interface IAbsence extends carillon.agent.v1.Absence.$Properties {
            }

            /** Represents an Absence. */
            class Absence {

                /**
                 * Constructs a new Absence.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Absence.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Absence awaitedMs. */
                awaitedMs: number;

                /** Absence absentMs. */
                absentMs: number;

                /** Absence headMs. */
                headMs: number;

                /** Absence gaps. */
                gaps: number;

                /** Absence longestGapMs. */
                longestGapMs: number;

                /** Absence longestGapUnixMs. */
                longestGapUnixMs: number;

                /** Absence tailMs. */
                tailMs: number;

                /** Absence pausedMs. */
                pausedMs: number;

                /** Absence pauses. */
                pauses: number;

                /** Absence longestPauseMs. */
                longestPauseMs: number;

                /** Absence sparseMs. */
                sparseMs: number;

                /**
                 * Encodes the specified Absence message. Does not implicitly {@link carillon.agent.v1.Absence.verify|verify} messages.
                 * @param message Absence message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Absence.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes an Absence message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Absence & carillon.agent.v1.Absence.$Shape} Absence
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Absence & carillon.agent.v1.Absence.$Shape;
            }

            namespace Absence {

                /** Properties of an Absence. */
                interface $Properties {

                    /** Absence awaitedMs */
                    awaitedMs?: (number|null);

                    /** Absence absentMs */
                    absentMs?: (number|null);

                    /** Absence headMs */
                    headMs?: (number|null);

                    /** Absence gaps */
                    gaps?: (number|null);

                    /** Absence longestGapMs */
                    longestGapMs?: (number|null);

                    /** Absence longestGapUnixMs */
                    longestGapUnixMs?: (number|null);

                    /** Absence tailMs */
                    tailMs?: (number|null);

                    /** Absence pausedMs */
                    pausedMs?: (number|null);

                    /** Absence pauses */
                    pauses?: (number|null);

                    /** Absence longestPauseMs */
                    longestPauseMs?: (number|null);

                    /** Absence sparseMs */
                    sparseMs?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of an Absence. */
                type $Shape = carillon.agent.v1.Absence.$Properties;
            }

            /**
             * Properties of a DelayVariation.
             * @deprecated Use carillon.agent.v1.DelayVariation.$Properties instead.
             */
            interface IDelayVariation extends carillon.agent.v1.DelayVariation.$Properties {
            }

            /** Represents a DelayVariation. */
            class DelayVariation {

                /**
                 * Constructs a new DelayVariation.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.DelayVariation.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** DelayVariation p50Ms. */
                p50Ms: number;

                /** DelayVariation p95Ms. */
                p95Ms: number;

                /** DelayVariation p99Ms. */
                p99Ms: number;

                /** DelayVariation maxMs. */
                maxMs: number;

                /**
                 * Encodes the specified DelayVariation message. Does not implicitly {@link carillon.agent.v1.DelayVariation.verify|verify} messages.
                 * @param message DelayVariation message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.DelayVariation.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a DelayVariation message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.DelayVariation & carillon.agent.v1.DelayVariation.$Shape} DelayVariation
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.DelayVariation & carillon.agent.v1.DelayVariation.$Shape;
            }

            namespace DelayVariation {

                /** Properties of a DelayVariation. */
                interface $Properties {

                    /** DelayVariation p50Ms */
                    p50Ms?: (number|null);

                    /** DelayVariation p95Ms */
                    p95Ms?: (number|null);

                    /** DelayVariation p99Ms */
                    p99Ms?: (number|null);

                    /** DelayVariation maxMs */
                    maxMs?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a DelayVariation. */
                type $Shape = carillon.agent.v1.DelayVariation.$Properties;
            }

            /**
             * Properties of a Bursts.
             * @deprecated Use carillon.agent.v1.Bursts.$Properties instead.
             */
            interface IBursts extends carillon.agent.v1.Bursts.$Properties {
            }

            /** Represents a Bursts. */
            class Bursts {

                /**
                 * Constructs a new Bursts.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Bursts.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Bursts bursts. */
                bursts: number;

                /** Bursts burstDensity. */
                burstDensity: number;

                /** Bursts gapDensity. */
                gapDensity: number;

                /** Bursts burstMs. */
                burstMs: number;

                /** Bursts gapMs. */
                gapMs: number;

                /**
                 * Encodes the specified Bursts message. Does not implicitly {@link carillon.agent.v1.Bursts.verify|verify} messages.
                 * @param message Bursts message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Bursts.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Bursts message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Bursts & carillon.agent.v1.Bursts.$Shape} Bursts
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Bursts & carillon.agent.v1.Bursts.$Shape;
            }

            namespace Bursts {

                /** Properties of a Bursts. */
                interface $Properties {

                    /** Bursts bursts */
                    bursts?: (number|null);

                    /** Bursts burstDensity */
                    burstDensity?: (number|null);

                    /** Bursts gapDensity */
                    gapDensity?: (number|null);

                    /** Bursts burstMs */
                    burstMs?: (number|null);

                    /** Bursts gapMs */
                    gapMs?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Bursts. */
                type $Shape = carillon.agent.v1.Bursts.$Properties;
            }

            /**
             * Properties of a Playout.
             * @deprecated Use carillon.agent.v1.Playout.$Properties instead.
             */
            interface IPlayout extends carillon.agent.v1.Playout.$Properties {
            }

            /** Represents a Playout. */
            class Playout {

                /**
                 * Constructs a new Playout.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Playout.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Playout discarded. */
                discarded: number;

                /** Playout plcEvents. */
                plcEvents: number;

                /** Playout plcMs. */
                plcMs: number;

                /** Playout plcMaxMs. */
                plcMaxMs: number;

                /** Playout bufferMs. */
                bufferMs: number;

                /** Playout mos. */
                mos: number;

                /**
                 * Encodes the specified Playout message. Does not implicitly {@link carillon.agent.v1.Playout.verify|verify} messages.
                 * @param message Playout message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Playout.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Playout message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Playout & carillon.agent.v1.Playout.$Shape} Playout
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Playout & carillon.agent.v1.Playout.$Shape;
            }

            namespace Playout {

                /** Properties of a Playout. */
                interface $Properties {

                    /** Playout discarded */
                    discarded?: (number|null);

                    /** Playout plcEvents */
                    plcEvents?: (number|null);

                    /** Playout plcMs */
                    plcMs?: (number|null);

                    /** Playout plcMaxMs */
                    plcMaxMs?: (number|null);

                    /** Playout bufferMs */
                    bufferMs?: (number|null);

                    /** Playout mos */
                    mos?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Playout. */
                type $Shape = carillon.agent.v1.Playout.$Properties;
            }

            /**
             * Properties of a Sound.
             * @deprecated Use carillon.agent.v1.Sound.$Properties instead.
             */
            interface ISound extends carillon.agent.v1.Sound.$Properties {
            }

            /** Represents a Sound. */
            class Sound {

                /**
                 * Constructs a new Sound.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Sound.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Sound frames. */
                frames: number;

                /** Sound levelDbov. */
                levelDbov: number;

                /** Sound silentShare. */
                silentShare: number;

                /** Sound clippedShare. */
                clippedShare: number;

                /**
                 * Encodes the specified Sound message. Does not implicitly {@link carillon.agent.v1.Sound.verify|verify} messages.
                 * @param message Sound message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Sound.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Sound message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Sound & carillon.agent.v1.Sound.$Shape} Sound
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Sound & carillon.agent.v1.Sound.$Shape;
            }

            namespace Sound {

                /** Properties of a Sound. */
                interface $Properties {

                    /** Sound frames */
                    frames?: (number|null);

                    /** Sound levelDbov */
                    levelDbov?: (number|null);

                    /** Sound silentShare */
                    silentShare?: (number|null);

                    /** Sound clippedShare */
                    clippedShare?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Sound. */
                type $Shape = carillon.agent.v1.Sound.$Properties;
            }

            /**
             * Properties of a RemoteVoipMetrics.
             * @deprecated Use carillon.agent.v1.RemoteVoipMetrics.$Properties instead.
             */
            interface IRemoteVoipMetrics extends carillon.agent.v1.RemoteVoipMetrics.$Properties {
            }

            /** Represents a RemoteVoipMetrics. */
            class RemoteVoipMetrics {

                /**
                 * Constructs a new RemoteVoipMetrics.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.RemoteVoipMetrics.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** RemoteVoipMetrics lossFraction. */
                lossFraction: number;

                /** RemoteVoipMetrics discardFraction. */
                discardFraction: number;

                /** RemoteVoipMetrics burstDensity. */
                burstDensity: number;

                /** RemoteVoipMetrics gapDensity. */
                gapDensity: number;

                /** RemoteVoipMetrics burstMs. */
                burstMs: number;

                /** RemoteVoipMetrics gapMs. */
                gapMs: number;

                /** RemoteVoipMetrics endSystemMs. */
                endSystemMs: number;

                /** RemoteVoipMetrics rFactor. */
                rFactor: number;

                /** RemoteVoipMetrics mosLq. */
                mosLq: number;

                /** RemoteVoipMetrics mosCq. */
                mosCq: number;

                /**
                 * Encodes the specified RemoteVoipMetrics message. Does not implicitly {@link carillon.agent.v1.RemoteVoipMetrics.verify|verify} messages.
                 * @param message RemoteVoipMetrics message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.RemoteVoipMetrics.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a RemoteVoipMetrics message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.RemoteVoipMetrics & carillon.agent.v1.RemoteVoipMetrics.$Shape} RemoteVoipMetrics
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.RemoteVoipMetrics & carillon.agent.v1.RemoteVoipMetrics.$Shape;
            }

            namespace RemoteVoipMetrics {

                /** Properties of a RemoteVoipMetrics. */
                interface $Properties {

                    /** RemoteVoipMetrics lossFraction */
                    lossFraction?: (number|null);

                    /** RemoteVoipMetrics discardFraction */
                    discardFraction?: (number|null);

                    /** RemoteVoipMetrics burstDensity */
                    burstDensity?: (number|null);

                    /** RemoteVoipMetrics gapDensity */
                    gapDensity?: (number|null);

                    /** RemoteVoipMetrics burstMs */
                    burstMs?: (number|null);

                    /** RemoteVoipMetrics gapMs */
                    gapMs?: (number|null);

                    /** RemoteVoipMetrics endSystemMs */
                    endSystemMs?: (number|null);

                    /** RemoteVoipMetrics rFactor */
                    rFactor?: (number|null);

                    /** RemoteVoipMetrics mosLq */
                    mosLq?: (number|null);

                    /** RemoteVoipMetrics mosCq */
                    mosCq?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a RemoteVoipMetrics. */
                type $Shape = carillon.agent.v1.RemoteVoipMetrics.$Properties;
            }

            /**
             * Properties of an Injected.
             * @deprecated Use carillon.agent.v1.Injected.$Properties instead.
             */
            interface IInjected extends carillon.agent.v1.Injected.$Properties {
            }

            /** Represents an Injected. */
            class Injected {

                /**
                 * Constructs a new Injected.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Injected.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Injected offered. */
                offered: number;

                /** Injected disturbed. */
                disturbed: number;

                /** Injected passed. */
                passed: number;

                /** Injected lost. */
                lost: number;

                /** Injected lossRuns. */
                lossRuns: number;

                /** Injected duplicated. */
                duplicated: number;

                /** Injected reordered. */
                reordered: number;

                /** Injected late. */
                late: number;

                /** Injected overflowed. */
                overflowed: number;

                /** Injected jitterBeforeMs. */
                jitterBeforeMs: number;

                /** Injected jitterAfterMs. */
                jitterAfterMs: number;

                /**
                 * Encodes the specified Injected message. Does not implicitly {@link carillon.agent.v1.Injected.verify|verify} messages.
                 * @param message Injected message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Injected.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes an Injected message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Injected & carillon.agent.v1.Injected.$Shape} Injected
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Injected & carillon.agent.v1.Injected.$Shape;
            }

            namespace Injected {

                /** Properties of an Injected. */
                interface $Properties {

                    /** Injected offered */
                    offered?: (number|null);

                    /** Injected disturbed */
                    disturbed?: (number|null);

                    /** Injected passed */
                    passed?: (number|null);

                    /** Injected lost */
                    lost?: (number|null);

                    /** Injected lossRuns */
                    lossRuns?: (number|null);

                    /** Injected duplicated */
                    duplicated?: (number|null);

                    /** Injected reordered */
                    reordered?: (number|null);

                    /** Injected late */
                    late?: (number|null);

                    /** Injected overflowed */
                    overflowed?: (number|null);

                    /** Injected jitterBeforeMs */
                    jitterBeforeMs?: (number|null);

                    /** Injected jitterAfterMs */
                    jitterAfterMs?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of an Injected. */
                type $Shape = carillon.agent.v1.Injected.$Properties;
            }

            /**
             * Properties of a Security.
             * @deprecated Use carillon.agent.v1.Security.$Properties instead.
             */
            interface ISecurity extends carillon.agent.v1.Security.$Properties {
            }

            /** Represents a Security. */
            class Security {

                /**
                 * Constructs a new Security.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Security.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Security state. */
                state: string;

                /** Security suite. */
                suite: string;

                /** Security handshakeMs. */
                handshakeMs: number;

                /** Security authFailed. */
                authFailed: number;

                /** Security replayed. */
                replayed: number;

                /** Security early. */
                early: number;

                /**
                 * Encodes the specified Security message. Does not implicitly {@link carillon.agent.v1.Security.verify|verify} messages.
                 * @param message Security message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Security.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Security message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Security & carillon.agent.v1.Security.$Shape} Security
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Security & carillon.agent.v1.Security.$Shape;
            }

            namespace Security {

                /** Properties of a Security. */
                interface $Properties {

                    /** Security state */
                    state?: (string|null);

                    /** Security suite */
                    suite?: (string|null);

                    /** Security handshakeMs */
                    handshakeMs?: (number|null);

                    /** Security authFailed */
                    authFailed?: (number|null);

                    /** Security replayed */
                    replayed?: (number|null);

                    /** Security early */
                    early?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Security. */
                type $Shape = carillon.agent.v1.Security.$Properties;
            }

            /**
             * Properties of an Ice.
             * @deprecated Use carillon.agent.v1.Ice.$Properties instead.
             */
            interface IIce extends carillon.agent.v1.Ice.$Properties {
            }

            /** Represents an Ice. */
            class Ice {

                /**
                 * Constructs a new Ice.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Ice.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Ice state. */
                state: string;

                /** Ice localType. */
                localType: string;

                /** Ice remoteType. */
                remoteType: string;

                /** Ice local. */
                local: string;

                /** Ice connectMs. */
                connectMs: number;

                /**
                 * Encodes the specified Ice message. Does not implicitly {@link carillon.agent.v1.Ice.verify|verify} messages.
                 * @param message Ice message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Ice.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes an Ice message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Ice & carillon.agent.v1.Ice.$Shape} Ice
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Ice & carillon.agent.v1.Ice.$Shape;
            }

            namespace Ice {

                /** Properties of an Ice. */
                interface $Properties {

                    /** Ice state */
                    state?: (string|null);

                    /** Ice localType */
                    localType?: (string|null);

                    /** Ice remoteType */
                    remoteType?: (string|null);

                    /** Ice local */
                    local?: (string|null);

                    /** Ice connectMs */
                    connectMs?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of an Ice. */
                type $Shape = carillon.agent.v1.Ice.$Properties;
            }

            /**
             * Properties of a Video.
             * @deprecated Use carillon.agent.v1.Video.$Properties instead.
             */
            interface IVideo extends carillon.agent.v1.Video.$Properties {
            }

            /** Represents a Video. */
            class Video {

                /**
                 * Constructs a new Video.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Video.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Video framesSent. */
                framesSent: number;

                /** Video keyframesSent. */
                keyframesSent: number;

                /** Video packetsResent. */
                packetsResent: number;

                /** Video framesReceived. */
                framesReceived: number;

                /** Video keyframesReceived. */
                keyframesReceived: number;

                /** Video framesLost. */
                framesLost: number;

                /** Video framesDropped. */
                framesDropped: number;

                /** Video framesPerSecond. */
                framesPerSecond: number;

                /** Video freezes. */
                freezes: number;

                /** Video freezeMs. */
                freezeMs: number;

                /** Video recoveredPackets. */
                recoveredPackets: number;

                /** Video nacksSent. */
                nacksSent: number;

                /** Video nacksReceived. */
                nacksReceived: number;

                /** Video plisSent. */
                plisSent: number;

                /** Video plisReceived. */
                plisReceived: number;

                /** Video firsSent. */
                firsSent: number;

                /** Video firsReceived. */
                firsReceived: number;

                /**
                 * Encodes the specified Video message. Does not implicitly {@link carillon.agent.v1.Video.verify|verify} messages.
                 * @param message Video message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Video.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Video message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Video & carillon.agent.v1.Video.$Shape} Video
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Video & carillon.agent.v1.Video.$Shape;
            }

            namespace Video {

                /** Properties of a Video. */
                interface $Properties {

                    /** Video framesSent */
                    framesSent?: (number|null);

                    /** Video keyframesSent */
                    keyframesSent?: (number|null);

                    /** Video packetsResent */
                    packetsResent?: (number|null);

                    /** Video framesReceived */
                    framesReceived?: (number|null);

                    /** Video keyframesReceived */
                    keyframesReceived?: (number|null);

                    /** Video framesLost */
                    framesLost?: (number|null);

                    /** Video framesDropped */
                    framesDropped?: (number|null);

                    /** Video framesPerSecond */
                    framesPerSecond?: (number|null);

                    /** Video freezes */
                    freezes?: (number|null);

                    /** Video freezeMs */
                    freezeMs?: (number|null);

                    /** Video recoveredPackets */
                    recoveredPackets?: (number|null);

                    /** Video nacksSent */
                    nacksSent?: (number|null);

                    /** Video nacksReceived */
                    nacksReceived?: (number|null);

                    /** Video plisSent */
                    plisSent?: (number|null);

                    /** Video plisReceived */
                    plisReceived?: (number|null);

                    /** Video firsSent */
                    firsSent?: (number|null);

                    /** Video firsReceived */
                    firsReceived?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Video. */
                type $Shape = carillon.agent.v1.Video.$Properties;
            }

            /**
             * Properties of a StartNoise.
             * @deprecated Use carillon.agent.v1.StartNoise.$Properties instead.
             */
            interface IStartNoise extends carillon.agent.v1.StartNoise.$Properties {
            }

            /** Represents a StartNoise. */
            class StartNoise {

                /**
                 * Constructs a new StartNoise.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.StartNoise.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** StartNoise inviteLateMs. */
                inviteLateMs?: (carillon.agent.v1.Histogram.$Properties|null);

                /** StartNoise planned. */
                planned: number;

                /** StartNoise started. */
                started: number;

                /** StartNoise notStarted. */
                notStarted: number;

                /** StartNoise heldBack. */
                heldBack: number;

                /** StartNoise noFreeEndpoint. */
                noFreeEndpoint: number;

                /** StartNoise unixMs. */
                unixMs: number;

                /** StartNoise actionLateMs. */
                actionLateMs?: (carillon.agent.v1.Histogram.$Properties|null);

                /**
                 * Encodes the specified StartNoise message. Does not implicitly {@link carillon.agent.v1.StartNoise.verify|verify} messages.
                 * @param message StartNoise message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.StartNoise.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a StartNoise message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.StartNoise & carillon.agent.v1.StartNoise.$Shape} StartNoise
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.StartNoise & carillon.agent.v1.StartNoise.$Shape;
            }

            namespace StartNoise {

                /** Properties of a StartNoise. */
                interface $Properties {

                    /** StartNoise inviteLateMs */
                    inviteLateMs?: (carillon.agent.v1.Histogram.$Properties|null);

                    /** StartNoise planned */
                    planned?: (number|null);

                    /** StartNoise started */
                    started?: (number|null);

                    /** StartNoise notStarted */
                    notStarted?: (number|null);

                    /** StartNoise heldBack */
                    heldBack?: (number|null);

                    /** StartNoise noFreeEndpoint */
                    noFreeEndpoint?: (number|null);

                    /** StartNoise unixMs */
                    unixMs?: (number|null);

                    /** StartNoise actionLateMs */
                    actionLateMs?: (carillon.agent.v1.Histogram.$Properties|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a StartNoise. */
                type $Shape = carillon.agent.v1.StartNoise.$Properties;
            }

            /**
             * Properties of a Noise.
             * @deprecated Use carillon.agent.v1.Noise.$Properties instead.
             */
            interface INoise extends carillon.agent.v1.Noise.$Properties {
            }

            /** Represents a Noise. */
            class Noise {

                /**
                 * Constructs a new Noise.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Noise.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Noise fromUnixMs. */
                fromUnixMs: number;

                /** Noise seconds. */
                seconds: number;

                /** Noise pacingErrorMs. */
                pacingErrorMs?: (carillon.agent.v1.Histogram.$Properties|null);

                /** Noise slotsPlanned. */
                slotsPlanned: number;

                /** Noise slotsSkipped. */
                slotsSkipped: number;

                /** Noise loopDelayMs. */
                loopDelayMs?: (carillon.agent.v1.Histogram.$Properties|null);

                /** Noise threadCpu. */
                threadCpu: number;

                /** Noise steal. */
                steal: number;

                /** Noise receiveDrops. */
                receiveDrops: number;

                /** Noise received. */
                received: number;

                /** Noise clockSteps. */
                clockSteps: number;

                /** Noise stamps. */
                stamps: string;

                /** Noise coldSeconds. */
                coldSeconds: number;

                /**
                 * Encodes the specified Noise message. Does not implicitly {@link carillon.agent.v1.Noise.verify|verify} messages.
                 * @param message Noise message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Noise.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Noise message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Noise & carillon.agent.v1.Noise.$Shape} Noise
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Noise & carillon.agent.v1.Noise.$Shape;
            }

            namespace Noise {

                /** Properties of a Noise. */
                interface $Properties {

                    /** Noise fromUnixMs */
                    fromUnixMs?: (number|null);

                    /** Noise seconds */
                    seconds?: (number|null);

                    /** Noise pacingErrorMs */
                    pacingErrorMs?: (carillon.agent.v1.Histogram.$Properties|null);

                    /** Noise slotsPlanned */
                    slotsPlanned?: (number|null);

                    /** Noise slotsSkipped */
                    slotsSkipped?: (number|null);

                    /** Noise loopDelayMs */
                    loopDelayMs?: (carillon.agent.v1.Histogram.$Properties|null);

                    /** Noise threadCpu */
                    threadCpu?: (number|null);

                    /** Noise steal */
                    steal?: (number|null);

                    /** Noise receiveDrops */
                    receiveDrops?: (number|null);

                    /** Noise received */
                    received?: (number|null);

                    /** Noise clockSteps */
                    clockSteps?: (number|null);

                    /** Noise stamps */
                    stamps?: (string|null);

                    /** Noise coldSeconds */
                    coldSeconds?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Noise. */
                type $Shape = carillon.agent.v1.Noise.$Properties;
            }

            /**
             * Properties of a Histogram.
             * @deprecated Use carillon.agent.v1.Histogram.$Properties instead.
             */
            interface IHistogram extends carillon.agent.v1.Histogram.$Properties {
            }

            /** Represents a Histogram. */
            class Histogram {

                /**
                 * Constructs a new Histogram.
                 * @param [properties] Properties to set
                 */
                constructor(properties?: carillon.agent.v1.Histogram.$Properties);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];

                /** Histogram bucket. */
                bucket: number[];

                /** Histogram count. */
                count: number[];

                /** Histogram sum. */
                sum: number;

                /** Histogram min. */
                min: number;

                /** Histogram max. */
                max: number;

                /**
                 * Encodes the specified Histogram message. Does not implicitly {@link carillon.agent.v1.Histogram.verify|verify} messages.
                 * @param message Histogram message or plain object to encode
                 * @param [writer] Writer to encode to
                 * @returns Writer
                 */
                static encode(message: carillon.agent.v1.Histogram.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

                /**
                 * Decodes a Histogram message from the specified reader or buffer.
                 * @param reader Reader or buffer to decode from
                 * @param [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Histogram & carillon.agent.v1.Histogram.$Shape} Histogram
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): carillon.agent.v1.Histogram & carillon.agent.v1.Histogram.$Shape;
            }

            namespace Histogram {

                /** Properties of a Histogram. */
                interface $Properties {

                    /** Histogram bucket */
                    bucket?: (number[]|null);

                    /** Histogram count */
                    count?: (number[]|null);

                    /** Histogram sum */
                    sum?: (number|null);

                    /** Histogram min */
                    min?: (number|null);

                    /** Histogram max */
                    max?: (number|null);

                    /** Unknown fields preserved while decoding when enabled */
                    $unknowns?: Uint8Array[];
                }

                /** Shape of a Histogram. */
                type $Shape = carillon.agent.v1.Histogram.$Properties;
            }
        }
    }
}
