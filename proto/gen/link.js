/*eslint-disable block-scoped-var, id-length, no-control-regex, no-magic-numbers, no-mixed-operators, no-prototype-builtins, no-redeclare, no-shadow, no-var, sort-vars, default-case, jsdoc/require-param*/
import $protobuf from "protobufjs/minimal.js";

// Common aliases
const $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
const $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError;

// Exported root namespace
const $root = $protobuf.roots["default"] || ($protobuf.roots["default"] = {});

export const carillon = $root.carillon = (() => {

    /**
     * Namespace carillon.
     * @exports carillon
     * @namespace
     */
    const carillon = {};

    carillon.agent = (function() {

        /**
         * Namespace agent.
         * @memberof carillon
         * @namespace
         */
        const agent = {};

        agent.v1 = (function() {

            /**
             * Namespace v1.
             * @memberof carillon.agent
             * @namespace
             */
            const v1 = {};

            v1.AgentFrame = (function() {

                /**
                 * Properties of an AgentFrame.
                 * @typedef {Object} carillon.agent.v1.AgentFrame.$Properties
                 * @property {carillon.agent.v1.Hello.$Properties|null} [hello] AgentFrame hello
                 * @property {carillon.agent.v1.Batch.$Properties|null} [batch] AgentFrame batch
                 * @property {carillon.agent.v1.CommandReceipt.$Properties|null} [commandReceipt] AgentFrame commandReceipt
                 * @property {carillon.agent.v1.Beat.$Properties|null} [beat] AgentFrame beat
                 * @property {carillon.agent.v1.MediaRequest.$Properties|null} [mediaRequest] AgentFrame mediaRequest
                 * @property {carillon.agent.v1.PolicyDigest.$Properties|null} [policy] AgentFrame policy
                 * @property {carillon.agent.v1.KeyChange.$Properties|null} [keyChange] AgentFrame keyChange
                 * @property {"hello"|"batch"|"commandReceipt"|"beat"|"mediaRequest"|"policy"|"keyChange"} [body] AgentFrame body
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of an AgentFrame.
                 * @memberof carillon.agent.v1
                 * @interface IAgentFrame
                 * @augments carillon.agent.v1.AgentFrame.$Properties
                 * @deprecated Use carillon.agent.v1.AgentFrame.$Properties instead.
                 */

                /**
                 * Narrowed shape of an AgentFrame.
                 * @typedef {{
                 *   hello?: carillon.agent.v1.Hello.$Shape|null;
                 *   batch?: carillon.agent.v1.Batch.$Shape|null;
                 *   commandReceipt?: carillon.agent.v1.CommandReceipt.$Shape|null;
                 *   beat?: carillon.agent.v1.Beat.$Shape|null;
                 *   mediaRequest?: carillon.agent.v1.MediaRequest.$Shape|null;
                 *   policy?: carillon.agent.v1.PolicyDigest.$Shape|null;
                 *   keyChange?: carillon.agent.v1.KeyChange.$Shape|null;
                 *   $unknowns?: Array.<Uint8Array>;
                 * } & (
                 *   ({ body?: undefined; hello?: null; batch?: null; commandReceipt?: null; beat?: null; mediaRequest?: null; policy?: null; keyChange?: null }|{ body?: "hello"; hello: carillon.agent.v1.Hello.$Shape; batch?: null; commandReceipt?: null; beat?: null; mediaRequest?: null; policy?: null; keyChange?: null }|{ body?: "batch"; hello?: null; batch: carillon.agent.v1.Batch.$Shape; commandReceipt?: null; beat?: null; mediaRequest?: null; policy?: null; keyChange?: null }|{ body?: "commandReceipt"; hello?: null; batch?: null; commandReceipt: carillon.agent.v1.CommandReceipt.$Shape; beat?: null; mediaRequest?: null; policy?: null; keyChange?: null }|{ body?: "beat"; hello?: null; batch?: null; commandReceipt?: null; beat: carillon.agent.v1.Beat.$Shape; mediaRequest?: null; policy?: null; keyChange?: null }|{ body?: "mediaRequest"; hello?: null; batch?: null; commandReceipt?: null; beat?: null; mediaRequest: carillon.agent.v1.MediaRequest.$Shape; policy?: null; keyChange?: null }|{ body?: "policy"; hello?: null; batch?: null; commandReceipt?: null; beat?: null; mediaRequest?: null; policy: carillon.agent.v1.PolicyDigest.$Shape; keyChange?: null }|{ body?: "keyChange"; hello?: null; batch?: null; commandReceipt?: null; beat?: null; mediaRequest?: null; policy?: null; keyChange: carillon.agent.v1.KeyChange.$Shape })
                 * )} carillon.agent.v1.AgentFrame.$Shape
                 */

                /**
                 * Constructs a new AgentFrame.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents an AgentFrame.
                 * @constructor
                 * @param {carillon.agent.v1.AgentFrame.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const AgentFrame = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * AgentFrame hello.
                 * @member {carillon.agent.v1.Hello.$Properties|null|undefined} hello
                 * @memberof carillon.agent.v1.AgentFrame
                 * @instance
                 */
                AgentFrame.prototype.hello = null;

                /**
                 * AgentFrame batch.
                 * @member {carillon.agent.v1.Batch.$Properties|null|undefined} batch
                 * @memberof carillon.agent.v1.AgentFrame
                 * @instance
                 */
                AgentFrame.prototype.batch = null;

                /**
                 * AgentFrame commandReceipt.
                 * @member {carillon.agent.v1.CommandReceipt.$Properties|null|undefined} commandReceipt
                 * @memberof carillon.agent.v1.AgentFrame
                 * @instance
                 */
                AgentFrame.prototype.commandReceipt = null;

                /**
                 * AgentFrame beat.
                 * @member {carillon.agent.v1.Beat.$Properties|null|undefined} beat
                 * @memberof carillon.agent.v1.AgentFrame
                 * @instance
                 */
                AgentFrame.prototype.beat = null;

                /**
                 * AgentFrame mediaRequest.
                 * @member {carillon.agent.v1.MediaRequest.$Properties|null|undefined} mediaRequest
                 * @memberof carillon.agent.v1.AgentFrame
                 * @instance
                 */
                AgentFrame.prototype.mediaRequest = null;

                /**
                 * AgentFrame policy.
                 * @member {carillon.agent.v1.PolicyDigest.$Properties|null|undefined} policy
                 * @memberof carillon.agent.v1.AgentFrame
                 * @instance
                 */
                AgentFrame.prototype.policy = null;

                /**
                 * AgentFrame keyChange.
                 * @member {carillon.agent.v1.KeyChange.$Properties|null|undefined} keyChange
                 * @memberof carillon.agent.v1.AgentFrame
                 * @instance
                 */
                AgentFrame.prototype.keyChange = null;

                // OneOf field names bound to virtual getters and setters
                let $oneOfFields;

                /**
                 * AgentFrame body.
                 * @member {"hello"|"batch"|"commandReceipt"|"beat"|"mediaRequest"|"policy"|"keyChange"|undefined} body
                 * @memberof carillon.agent.v1.AgentFrame
                 * @instance
                 */
                $Object.defineProperty(AgentFrame.prototype, "body", {
                    get: $util.oneOfGetter($oneOfFields = ["hello", "batch", "commandReceipt", "beat", "mediaRequest", "policy", "keyChange"]),
                    set: $util.oneOfSetter($oneOfFields)
                });

                /**
                 * Encodes the specified AgentFrame message. Does not implicitly {@link carillon.agent.v1.AgentFrame.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.AgentFrame
                 * @static
                 * @param {carillon.agent.v1.AgentFrame.$Properties} message AgentFrame message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                AgentFrame.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.hello != null && $Object.hasOwnProperty.call(message, "hello"))
                        $root.carillon.agent.v1.Hello.encode(message.hello, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
                    if (message.batch != null && $Object.hasOwnProperty.call(message, "batch"))
                        $root.carillon.agent.v1.Batch.encode(message.batch, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
                    if (message.commandReceipt != null && $Object.hasOwnProperty.call(message, "commandReceipt"))
                        $root.carillon.agent.v1.CommandReceipt.encode(message.commandReceipt, writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
                    if (message.beat != null && $Object.hasOwnProperty.call(message, "beat"))
                        $root.carillon.agent.v1.Beat.encode(message.beat, writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
                    if (message.mediaRequest != null && $Object.hasOwnProperty.call(message, "mediaRequest"))
                        $root.carillon.agent.v1.MediaRequest.encode(message.mediaRequest, writer.uint32(/* id 5, wireType 2 =*/42).fork(), _depth + 1).ldelim();
                    if (message.policy != null && $Object.hasOwnProperty.call(message, "policy"))
                        $root.carillon.agent.v1.PolicyDigest.encode(message.policy, writer.uint32(/* id 40, wireType 2 =*/322).fork(), _depth + 1).ldelim();
                    if (message.keyChange != null && $Object.hasOwnProperty.call(message, "keyChange"))
                        $root.carillon.agent.v1.KeyChange.encode(message.keyChange, writer.uint32(/* id 42, wireType 2 =*/338).fork(), _depth + 1).ldelim();
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes an AgentFrame message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.AgentFrame
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.AgentFrame & carillon.agent.v1.AgentFrame.$Shape} AgentFrame
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                AgentFrame.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.AgentFrame();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                message.hello = $root.carillon.agent.v1.Hello.decode(reader, reader.size(), $undefined, _depth + 1, message.hello);
                                message.body = "hello";
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                message.batch = $root.carillon.agent.v1.Batch.decode(reader, reader.size(), $undefined, _depth + 1, message.batch);
                                message.body = "batch";
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                message.commandReceipt = $root.carillon.agent.v1.CommandReceipt.decode(reader, reader.size(), $undefined, _depth + 1, message.commandReceipt);
                                message.body = "commandReceipt";
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                message.beat = $root.carillon.agent.v1.Beat.decode(reader, reader.size(), $undefined, _depth + 1, message.beat);
                                message.body = "beat";
                                continue;
                            }
                        case 5: {
                                if (wireType !== 2)
                                    break;
                                message.mediaRequest = $root.carillon.agent.v1.MediaRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.mediaRequest);
                                message.body = "mediaRequest";
                                continue;
                            }
                        case 40: {
                                if (wireType !== 2)
                                    break;
                                message.policy = $root.carillon.agent.v1.PolicyDigest.decode(reader, reader.size(), $undefined, _depth + 1, message.policy);
                                message.body = "policy";
                                continue;
                            }
                        case 42: {
                                if (wireType !== 2)
                                    break;
                                message.keyChange = $root.carillon.agent.v1.KeyChange.decode(reader, reader.size(), $undefined, _depth + 1, message.keyChange);
                                message.body = "keyChange";
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return AgentFrame;
            })();

            v1.ControlFrame = (function() {

                /**
                 * Properties of a ControlFrame.
                 * @typedef {Object} carillon.agent.v1.ControlFrame.$Properties
                 * @property {carillon.agent.v1.Challenge.$Properties|null} [challenge] ControlFrame challenge
                 * @property {carillon.agent.v1.Welcome.$Properties|null} [welcome] ControlFrame welcome
                 * @property {carillon.agent.v1.Farewell.$Properties|null} [farewell] ControlFrame farewell
                 * @property {carillon.agent.v1.BatchReceipt.$Properties|null} [batchReceipt] ControlFrame batchReceipt
                 * @property {carillon.agent.v1.Command.$Properties|null} [command] ControlFrame command
                 * @property {carillon.agent.v1.Beat.$Properties|null} [beat] ControlFrame beat
                 * @property {carillon.agent.v1.MediaChunk.$Properties|null} [mediaChunk] ControlFrame mediaChunk
                 * @property {carillon.agent.v1.KeyReceipt.$Properties|null} [keyReceipt] ControlFrame keyReceipt
                 * @property {"challenge"|"welcome"|"farewell"|"batchReceipt"|"command"|"beat"|"mediaChunk"|"keyReceipt"} [body] ControlFrame body
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a ControlFrame.
                 * @memberof carillon.agent.v1
                 * @interface IControlFrame
                 * @augments carillon.agent.v1.ControlFrame.$Properties
                 * @deprecated Use carillon.agent.v1.ControlFrame.$Properties instead.
                 */

                /**
                 * Narrowed shape of a ControlFrame.
                 * @typedef {{
                 *   challenge?: carillon.agent.v1.Challenge.$Shape|null;
                 *   welcome?: carillon.agent.v1.Welcome.$Shape|null;
                 *   farewell?: carillon.agent.v1.Farewell.$Shape|null;
                 *   batchReceipt?: carillon.agent.v1.BatchReceipt.$Shape|null;
                 *   command?: carillon.agent.v1.Command.$Shape|null;
                 *   beat?: carillon.agent.v1.Beat.$Shape|null;
                 *   mediaChunk?: carillon.agent.v1.MediaChunk.$Shape|null;
                 *   keyReceipt?: carillon.agent.v1.KeyReceipt.$Shape|null;
                 *   $unknowns?: Array.<Uint8Array>;
                 * } & (
                 *   ({ body?: undefined; challenge?: null; welcome?: null; farewell?: null; batchReceipt?: null; command?: null; beat?: null; mediaChunk?: null; keyReceipt?: null }|{ body?: "challenge"; challenge: carillon.agent.v1.Challenge.$Shape; welcome?: null; farewell?: null; batchReceipt?: null; command?: null; beat?: null; mediaChunk?: null; keyReceipt?: null }|{ body?: "welcome"; challenge?: null; welcome: carillon.agent.v1.Welcome.$Shape; farewell?: null; batchReceipt?: null; command?: null; beat?: null; mediaChunk?: null; keyReceipt?: null }|{ body?: "farewell"; challenge?: null; welcome?: null; farewell: carillon.agent.v1.Farewell.$Shape; batchReceipt?: null; command?: null; beat?: null; mediaChunk?: null; keyReceipt?: null }|{ body?: "batchReceipt"; challenge?: null; welcome?: null; farewell?: null; batchReceipt: carillon.agent.v1.BatchReceipt.$Shape; command?: null; beat?: null; mediaChunk?: null; keyReceipt?: null }|{ body?: "command"; challenge?: null; welcome?: null; farewell?: null; batchReceipt?: null; command: carillon.agent.v1.Command.$Shape; beat?: null; mediaChunk?: null; keyReceipt?: null }|{ body?: "beat"; challenge?: null; welcome?: null; farewell?: null; batchReceipt?: null; command?: null; beat: carillon.agent.v1.Beat.$Shape; mediaChunk?: null; keyReceipt?: null }|{ body?: "mediaChunk"; challenge?: null; welcome?: null; farewell?: null; batchReceipt?: null; command?: null; beat?: null; mediaChunk: carillon.agent.v1.MediaChunk.$Shape; keyReceipt?: null }|{ body?: "keyReceipt"; challenge?: null; welcome?: null; farewell?: null; batchReceipt?: null; command?: null; beat?: null; mediaChunk?: null; keyReceipt: carillon.agent.v1.KeyReceipt.$Shape })
                 * )} carillon.agent.v1.ControlFrame.$Shape
                 */

                /**
                 * Constructs a new ControlFrame.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a ControlFrame.
                 * @constructor
                 * @param {carillon.agent.v1.ControlFrame.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const ControlFrame = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * ControlFrame challenge.
                 * @member {carillon.agent.v1.Challenge.$Properties|null|undefined} challenge
                 * @memberof carillon.agent.v1.ControlFrame
                 * @instance
                 */
                ControlFrame.prototype.challenge = null;

                /**
                 * ControlFrame welcome.
                 * @member {carillon.agent.v1.Welcome.$Properties|null|undefined} welcome
                 * @memberof carillon.agent.v1.ControlFrame
                 * @instance
                 */
                ControlFrame.prototype.welcome = null;

                /**
                 * ControlFrame farewell.
                 * @member {carillon.agent.v1.Farewell.$Properties|null|undefined} farewell
                 * @memberof carillon.agent.v1.ControlFrame
                 * @instance
                 */
                ControlFrame.prototype.farewell = null;

                /**
                 * ControlFrame batchReceipt.
                 * @member {carillon.agent.v1.BatchReceipt.$Properties|null|undefined} batchReceipt
                 * @memberof carillon.agent.v1.ControlFrame
                 * @instance
                 */
                ControlFrame.prototype.batchReceipt = null;

                /**
                 * ControlFrame command.
                 * @member {carillon.agent.v1.Command.$Properties|null|undefined} command
                 * @memberof carillon.agent.v1.ControlFrame
                 * @instance
                 */
                ControlFrame.prototype.command = null;

                /**
                 * ControlFrame beat.
                 * @member {carillon.agent.v1.Beat.$Properties|null|undefined} beat
                 * @memberof carillon.agent.v1.ControlFrame
                 * @instance
                 */
                ControlFrame.prototype.beat = null;

                /**
                 * ControlFrame mediaChunk.
                 * @member {carillon.agent.v1.MediaChunk.$Properties|null|undefined} mediaChunk
                 * @memberof carillon.agent.v1.ControlFrame
                 * @instance
                 */
                ControlFrame.prototype.mediaChunk = null;

                /**
                 * ControlFrame keyReceipt.
                 * @member {carillon.agent.v1.KeyReceipt.$Properties|null|undefined} keyReceipt
                 * @memberof carillon.agent.v1.ControlFrame
                 * @instance
                 */
                ControlFrame.prototype.keyReceipt = null;

                // OneOf field names bound to virtual getters and setters
                let $oneOfFields;

                /**
                 * ControlFrame body.
                 * @member {"challenge"|"welcome"|"farewell"|"batchReceipt"|"command"|"beat"|"mediaChunk"|"keyReceipt"|undefined} body
                 * @memberof carillon.agent.v1.ControlFrame
                 * @instance
                 */
                $Object.defineProperty(ControlFrame.prototype, "body", {
                    get: $util.oneOfGetter($oneOfFields = ["challenge", "welcome", "farewell", "batchReceipt", "command", "beat", "mediaChunk", "keyReceipt"]),
                    set: $util.oneOfSetter($oneOfFields)
                });

                /**
                 * Encodes the specified ControlFrame message. Does not implicitly {@link carillon.agent.v1.ControlFrame.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.ControlFrame
                 * @static
                 * @param {carillon.agent.v1.ControlFrame.$Properties} message ControlFrame message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                ControlFrame.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.challenge != null && $Object.hasOwnProperty.call(message, "challenge"))
                        $root.carillon.agent.v1.Challenge.encode(message.challenge, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
                    if (message.welcome != null && $Object.hasOwnProperty.call(message, "welcome"))
                        $root.carillon.agent.v1.Welcome.encode(message.welcome, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
                    if (message.farewell != null && $Object.hasOwnProperty.call(message, "farewell"))
                        $root.carillon.agent.v1.Farewell.encode(message.farewell, writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
                    if (message.batchReceipt != null && $Object.hasOwnProperty.call(message, "batchReceipt"))
                        $root.carillon.agent.v1.BatchReceipt.encode(message.batchReceipt, writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
                    if (message.command != null && $Object.hasOwnProperty.call(message, "command"))
                        $root.carillon.agent.v1.Command.encode(message.command, writer.uint32(/* id 5, wireType 2 =*/42).fork(), _depth + 1).ldelim();
                    if (message.beat != null && $Object.hasOwnProperty.call(message, "beat"))
                        $root.carillon.agent.v1.Beat.encode(message.beat, writer.uint32(/* id 6, wireType 2 =*/50).fork(), _depth + 1).ldelim();
                    if (message.mediaChunk != null && $Object.hasOwnProperty.call(message, "mediaChunk"))
                        $root.carillon.agent.v1.MediaChunk.encode(message.mediaChunk, writer.uint32(/* id 7, wireType 2 =*/58).fork(), _depth + 1).ldelim();
                    if (message.keyReceipt != null && $Object.hasOwnProperty.call(message, "keyReceipt"))
                        $root.carillon.agent.v1.KeyReceipt.encode(message.keyReceipt, writer.uint32(/* id 40, wireType 2 =*/322).fork(), _depth + 1).ldelim();
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a ControlFrame message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.ControlFrame
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.ControlFrame & carillon.agent.v1.ControlFrame.$Shape} ControlFrame
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                ControlFrame.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.ControlFrame();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                message.challenge = $root.carillon.agent.v1.Challenge.decode(reader, reader.size(), $undefined, _depth + 1, message.challenge);
                                message.body = "challenge";
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                message.welcome = $root.carillon.agent.v1.Welcome.decode(reader, reader.size(), $undefined, _depth + 1, message.welcome);
                                message.body = "welcome";
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                message.farewell = $root.carillon.agent.v1.Farewell.decode(reader, reader.size(), $undefined, _depth + 1, message.farewell);
                                message.body = "farewell";
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                message.batchReceipt = $root.carillon.agent.v1.BatchReceipt.decode(reader, reader.size(), $undefined, _depth + 1, message.batchReceipt);
                                message.body = "batchReceipt";
                                continue;
                            }
                        case 5: {
                                if (wireType !== 2)
                                    break;
                                message.command = $root.carillon.agent.v1.Command.decode(reader, reader.size(), $undefined, _depth + 1, message.command);
                                message.body = "command";
                                continue;
                            }
                        case 6: {
                                if (wireType !== 2)
                                    break;
                                message.beat = $root.carillon.agent.v1.Beat.decode(reader, reader.size(), $undefined, _depth + 1, message.beat);
                                message.body = "beat";
                                continue;
                            }
                        case 7: {
                                if (wireType !== 2)
                                    break;
                                message.mediaChunk = $root.carillon.agent.v1.MediaChunk.decode(reader, reader.size(), $undefined, _depth + 1, message.mediaChunk);
                                message.body = "mediaChunk";
                                continue;
                            }
                        case 40: {
                                if (wireType !== 2)
                                    break;
                                message.keyReceipt = $root.carillon.agent.v1.KeyReceipt.decode(reader, reader.size(), $undefined, _depth + 1, message.keyReceipt);
                                message.body = "keyReceipt";
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return ControlFrame;
            })();

            v1.Challenge = (function() {

                /**
                 * Properties of a Challenge.
                 * @typedef {Object} carillon.agent.v1.Challenge.$Properties
                 * @property {Uint8Array|null} [nonce] Challenge nonce
                 * @property {number|null} [unixMs] Challenge unixMs
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Challenge.
                 * @memberof carillon.agent.v1
                 * @interface IChallenge
                 * @augments carillon.agent.v1.Challenge.$Properties
                 * @deprecated Use carillon.agent.v1.Challenge.$Properties instead.
                 */

                /**
                 * Shape of a Challenge.
                 * @typedef {carillon.agent.v1.Challenge.$Properties} carillon.agent.v1.Challenge.$Shape
                 */

                /**
                 * Constructs a new Challenge.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Challenge.
                 * @constructor
                 * @param {carillon.agent.v1.Challenge.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Challenge = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Challenge nonce.
                 * @member {Uint8Array} nonce
                 * @memberof carillon.agent.v1.Challenge
                 * @instance
                 */
                Challenge.prototype.nonce = $util.newBuffer([]);

                /**
                 * Challenge unixMs.
                 * @member {number} unixMs
                 * @memberof carillon.agent.v1.Challenge
                 * @instance
                 */
                Challenge.prototype.unixMs = 0;

                /**
                 * Encodes the specified Challenge message. Does not implicitly {@link carillon.agent.v1.Challenge.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Challenge
                 * @static
                 * @param {carillon.agent.v1.Challenge.$Properties} message Challenge message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Challenge.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.nonce != null && $Object.hasOwnProperty.call(message, "nonce") && message.nonce.length)
                        writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.nonce);
                    if (message.unixMs != null && $Object.hasOwnProperty.call(message, "unixMs") && !$Object.is(message.unixMs, 0))
                        writer.uint32(/* id 2, wireType 1 =*/17).double(message.unixMs);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Challenge message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Challenge
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Challenge & carillon.agent.v1.Challenge.$Shape} Challenge
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Challenge.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Challenge();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.nonce = value;
                                else
                                    delete message.nonce;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.unixMs = value;
                                else
                                    delete message.unixMs;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Challenge;
            })();

            v1.Hello = (function() {

                /**
                 * Properties of a Hello.
                 * @typedef {Object} carillon.agent.v1.Hello.$Properties
                 * @property {Uint8Array|null} [publicKey] Hello publicKey
                 * @property {Uint8Array|null} [signature] Hello signature
                 * @property {string|null} [joinToken] Hello joinToken
                 * @property {string|null} [agentVersion] Hello agentVersion
                 * @property {Uint8Array|null} [bootId] Hello bootId
                 * @property {Uint8Array|null} [outboxId] Hello outboxId
                 * @property {Array.<Uint8Array>|null} [allocationIds] Hello allocationIds
                 * @property {Array.<carillon.agent.v1.SipListener.$Properties>|null} [sipListeners] Hello sipListeners
                 * @property {string|null} [sipAdapter] Hello sipAdapter
                 * @property {string|null} [rtpAdapter] Hello rtpAdapter
                 * @property {string|null} [rtpPriority] Hello rtpPriority
                 * @property {number|null} [capacity] Hello capacity
                 * @property {Array.<string>|null} [audioCodecs] Hello audioCodecs
                 * @property {string|null} [hostname] Hello hostname
                 * @property {number|null} [cpus] Hello cpus
                 * @property {string|null} [platform] Hello platform
                 * @property {carillon.agent.v1.PolicyDigest.$Properties|null} [policy] Hello policy
                 * @property {Array.<string>|null} [videoCodecs] Hello videoCodecs
                 * @property {Array.<string>|null} [encryptions] Hello encryptions
                 * @property {Array.<string>|null} [mediaSources] Hello mediaSources
                 * @property {string|null} [srtpCiphers] Hello srtpCiphers
                 * @property {Array.<string>|null} [sipAbilities] Hello sipAbilities
                 * @property {carillon.agent.v1.Calibration.$Properties|null} [calibration] Hello calibration
                 * @property {carillon.agent.v1.CapacityLimits.$Properties|null} [limits] Hello limits
                 * @property {number|null} [streamCapacity] Hello streamCapacity
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Hello.
                 * @memberof carillon.agent.v1
                 * @interface IHello
                 * @augments carillon.agent.v1.Hello.$Properties
                 * @deprecated Use carillon.agent.v1.Hello.$Properties instead.
                 */

                /**
                 * Shape of a Hello.
                 * @typedef {carillon.agent.v1.Hello.$Properties} carillon.agent.v1.Hello.$Shape
                 */

                /**
                 * Constructs a new Hello.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Hello.
                 * @constructor
                 * @param {carillon.agent.v1.Hello.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Hello = function (properties) {
                    this.allocationIds = [];
                    this.sipListeners = [];
                    this.audioCodecs = [];
                    this.videoCodecs = [];
                    this.encryptions = [];
                    this.mediaSources = [];
                    this.sipAbilities = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Hello publicKey.
                 * @member {Uint8Array} publicKey
                 * @memberof carillon.agent.v1.Hello
                 * @instance
                 */
                Hello.prototype.publicKey = $util.newBuffer([]);

                /**
                 * Hello signature.
                 * @member {Uint8Array} signature
                 * @memberof carillon.agent.v1.Hello
                 * @instance
                 */
                Hello.prototype.signature = $util.newBuffer([]);

                /**
                 * Hello joinToken.
                 * @member {string} joinToken
                 * @memberof carillon.agent.v1.Hello
                 * @instance
                 */
                Hello.prototype.joinToken = "";

                /**
                 * Hello agentVersion.
                 * @member {string} agentVersion
                 * @memberof carillon.agent.v1.Hello
                 * @instance
                 */
                Hello.prototype.agentVersion = "";

                /**
                 * Hello bootId.
                 * @member {Uint8Array} bootId
                 * @memberof carillon.agent.v1.Hello
                 * @instance
                 */
                Hello.prototype.bootId = $util.newBuffer([]);

                /**
                 * Hello outboxId.
                 * @member {Uint8Array} outboxId
                 * @memberof carillon.agent.v1.Hello
                 * @instance
                 */
                Hello.prototype.outboxId = $util.newBuffer([]);

                /**
                 * Hello allocationIds.
                 * @member {Array.<Uint8Array>} allocationIds
                 * @memberof carillon.agent.v1.Hello
                 * @instance
                 */
                Hello.prototype.allocationIds = $util.emptyArray;

                /**
                 * Hello sipListeners.
                 * @member {Array.<carillon.agent.v1.SipListener.$Properties>} sipListeners
                 * @memberof carillon.agent.v1.Hello
                 * @instance
                 */
                Hello.prototype.sipListeners = $util.emptyArray;

                /**
                 * Hello sipAdapter.
                 * @member {string} sipAdapter
                 * @memberof carillon.agent.v1.Hello
                 * @instance
                 */
                Hello.prototype.sipAdapter = "";

                /**
                 * Hello rtpAdapter.
                 * @member {string} rtpAdapter
                 * @memberof carillon.agent.v1.Hello
                 * @instance
                 */
                Hello.prototype.rtpAdapter = "";

                /**
                 * Hello rtpPriority.
                 * @member {string} rtpPriority
                 * @memberof carillon.agent.v1.Hello
                 * @instance
                 */
                Hello.prototype.rtpPriority = "";

                /**
                 * Hello capacity.
                 * @member {number} capacity
                 * @memberof carillon.agent.v1.Hello
                 * @instance
                 */
                Hello.prototype.capacity = 0;

                /**
                 * Hello audioCodecs.
                 * @member {Array.<string>} audioCodecs
                 * @memberof carillon.agent.v1.Hello
                 * @instance
                 */
                Hello.prototype.audioCodecs = $util.emptyArray;

                /**
                 * Hello hostname.
                 * @member {string} hostname
                 * @memberof carillon.agent.v1.Hello
                 * @instance
                 */
                Hello.prototype.hostname = "";

                /**
                 * Hello cpus.
                 * @member {number} cpus
                 * @memberof carillon.agent.v1.Hello
                 * @instance
                 */
                Hello.prototype.cpus = 0;

                /**
                 * Hello platform.
                 * @member {string} platform
                 * @memberof carillon.agent.v1.Hello
                 * @instance
                 */
                Hello.prototype.platform = "";

                /**
                 * Hello policy.
                 * @member {carillon.agent.v1.PolicyDigest.$Properties|null|undefined} policy
                 * @memberof carillon.agent.v1.Hello
                 * @instance
                 */
                Hello.prototype.policy = null;

                /**
                 * Hello videoCodecs.
                 * @member {Array.<string>} videoCodecs
                 * @memberof carillon.agent.v1.Hello
                 * @instance
                 */
                Hello.prototype.videoCodecs = $util.emptyArray;

                /**
                 * Hello encryptions.
                 * @member {Array.<string>} encryptions
                 * @memberof carillon.agent.v1.Hello
                 * @instance
                 */
                Hello.prototype.encryptions = $util.emptyArray;

                /**
                 * Hello mediaSources.
                 * @member {Array.<string>} mediaSources
                 * @memberof carillon.agent.v1.Hello
                 * @instance
                 */
                Hello.prototype.mediaSources = $util.emptyArray;

                /**
                 * Hello srtpCiphers.
                 * @member {string} srtpCiphers
                 * @memberof carillon.agent.v1.Hello
                 * @instance
                 */
                Hello.prototype.srtpCiphers = "";

                /**
                 * Hello sipAbilities.
                 * @member {Array.<string>} sipAbilities
                 * @memberof carillon.agent.v1.Hello
                 * @instance
                 */
                Hello.prototype.sipAbilities = $util.emptyArray;

                /**
                 * Hello calibration.
                 * @member {carillon.agent.v1.Calibration.$Properties|null|undefined} calibration
                 * @memberof carillon.agent.v1.Hello
                 * @instance
                 */
                Hello.prototype.calibration = null;

                /**
                 * Hello limits.
                 * @member {carillon.agent.v1.CapacityLimits.$Properties|null|undefined} limits
                 * @memberof carillon.agent.v1.Hello
                 * @instance
                 */
                Hello.prototype.limits = null;

                /**
                 * Hello streamCapacity.
                 * @member {number} streamCapacity
                 * @memberof carillon.agent.v1.Hello
                 * @instance
                 */
                Hello.prototype.streamCapacity = 0;

                /**
                 * Encodes the specified Hello message. Does not implicitly {@link carillon.agent.v1.Hello.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Hello
                 * @static
                 * @param {carillon.agent.v1.Hello.$Properties} message Hello message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Hello.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.publicKey != null && $Object.hasOwnProperty.call(message, "publicKey") && message.publicKey.length)
                        writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.publicKey);
                    if (message.signature != null && $Object.hasOwnProperty.call(message, "signature") && message.signature.length)
                        writer.uint32(/* id 2, wireType 2 =*/18).bytes(message.signature);
                    if (message.joinToken != null && $Object.hasOwnProperty.call(message, "joinToken") && message.joinToken !== "")
                        writer.uint32(/* id 3, wireType 2 =*/26).string(message.joinToken);
                    if (message.agentVersion != null && $Object.hasOwnProperty.call(message, "agentVersion") && message.agentVersion !== "")
                        writer.uint32(/* id 4, wireType 2 =*/34).string(message.agentVersion);
                    if (message.bootId != null && $Object.hasOwnProperty.call(message, "bootId") && message.bootId.length)
                        writer.uint32(/* id 5, wireType 2 =*/42).bytes(message.bootId);
                    if (message.outboxId != null && $Object.hasOwnProperty.call(message, "outboxId") && message.outboxId.length)
                        writer.uint32(/* id 6, wireType 2 =*/50).bytes(message.outboxId);
                    if (message.allocationIds != null && message.allocationIds.length)
                        for (let i = 0; i < message.allocationIds.length; ++i)
                            writer.uint32(/* id 7, wireType 2 =*/58).bytes(message.allocationIds[i]);
                    if (message.sipListeners != null && message.sipListeners.length)
                        for (let i = 0; i < message.sipListeners.length; ++i)
                            $root.carillon.agent.v1.SipListener.encode(message.sipListeners[i], writer.uint32(/* id 8, wireType 2 =*/66).fork(), _depth + 1).ldelim();
                    if (message.sipAdapter != null && $Object.hasOwnProperty.call(message, "sipAdapter") && message.sipAdapter !== "")
                        writer.uint32(/* id 9, wireType 2 =*/74).string(message.sipAdapter);
                    if (message.rtpAdapter != null && $Object.hasOwnProperty.call(message, "rtpAdapter") && message.rtpAdapter !== "")
                        writer.uint32(/* id 10, wireType 2 =*/82).string(message.rtpAdapter);
                    if (message.capacity != null && $Object.hasOwnProperty.call(message, "capacity") && message.capacity !== 0)
                        writer.uint32(/* id 11, wireType 0 =*/88).uint32(message.capacity);
                    if (message.audioCodecs != null && message.audioCodecs.length)
                        for (let i = 0; i < message.audioCodecs.length; ++i)
                            writer.uint32(/* id 12, wireType 2 =*/98).string(message.audioCodecs[i]);
                    if (message.hostname != null && $Object.hasOwnProperty.call(message, "hostname") && message.hostname !== "")
                        writer.uint32(/* id 13, wireType 2 =*/106).string(message.hostname);
                    if (message.cpus != null && $Object.hasOwnProperty.call(message, "cpus") && message.cpus !== 0)
                        writer.uint32(/* id 14, wireType 0 =*/112).uint32(message.cpus);
                    if (message.platform != null && $Object.hasOwnProperty.call(message, "platform") && message.platform !== "")
                        writer.uint32(/* id 15, wireType 2 =*/122).string(message.platform);
                    if (message.policy != null && $Object.hasOwnProperty.call(message, "policy"))
                        $root.carillon.agent.v1.PolicyDigest.encode(message.policy, writer.uint32(/* id 16, wireType 2 =*/130).fork(), _depth + 1).ldelim();
                    if (message.videoCodecs != null && message.videoCodecs.length)
                        for (let i = 0; i < message.videoCodecs.length; ++i)
                            writer.uint32(/* id 17, wireType 2 =*/138).string(message.videoCodecs[i]);
                    if (message.encryptions != null && message.encryptions.length)
                        for (let i = 0; i < message.encryptions.length; ++i)
                            writer.uint32(/* id 18, wireType 2 =*/146).string(message.encryptions[i]);
                    if (message.mediaSources != null && message.mediaSources.length)
                        for (let i = 0; i < message.mediaSources.length; ++i)
                            writer.uint32(/* id 19, wireType 2 =*/154).string(message.mediaSources[i]);
                    if (message.srtpCiphers != null && $Object.hasOwnProperty.call(message, "srtpCiphers") && message.srtpCiphers !== "")
                        writer.uint32(/* id 20, wireType 2 =*/162).string(message.srtpCiphers);
                    if (message.streamCapacity != null && $Object.hasOwnProperty.call(message, "streamCapacity") && message.streamCapacity !== 0)
                        writer.uint32(/* id 21, wireType 0 =*/168).uint32(message.streamCapacity);
                    if (message.rtpPriority != null && $Object.hasOwnProperty.call(message, "rtpPriority") && message.rtpPriority !== "")
                        writer.uint32(/* id 25, wireType 2 =*/202).string(message.rtpPriority);
                    if (message.sipAbilities != null && message.sipAbilities.length)
                        for (let i = 0; i < message.sipAbilities.length; ++i)
                            writer.uint32(/* id 30, wireType 2 =*/242).string(message.sipAbilities[i]);
                    if (message.calibration != null && $Object.hasOwnProperty.call(message, "calibration"))
                        $root.carillon.agent.v1.Calibration.encode(message.calibration, writer.uint32(/* id 40, wireType 2 =*/322).fork(), _depth + 1).ldelim();
                    if (message.limits != null && $Object.hasOwnProperty.call(message, "limits"))
                        $root.carillon.agent.v1.CapacityLimits.encode(message.limits, writer.uint32(/* id 41, wireType 2 =*/330).fork(), _depth + 1).ldelim();
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Hello message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Hello
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Hello & carillon.agent.v1.Hello.$Shape} Hello
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Hello.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Hello();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.publicKey = value;
                                else
                                    delete message.publicKey;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.signature = value;
                                else
                                    delete message.signature;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.joinToken = value;
                                else
                                    delete message.joinToken;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.agentVersion = value;
                                else
                                    delete message.agentVersion;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.bootId = value;
                                else
                                    delete message.bootId;
                                continue;
                            }
                        case 6: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.outboxId = value;
                                else
                                    delete message.outboxId;
                                continue;
                            }
                        case 7: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.allocationIds && message.allocationIds.length))
                                    message.allocationIds = [];
                                message.allocationIds.push(reader.bytes());
                                continue;
                            }
                        case 8: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.sipListeners && message.sipListeners.length))
                                    message.sipListeners = [];
                                message.sipListeners.push($root.carillon.agent.v1.SipListener.decode(reader, reader.size(), $undefined, _depth + 1));
                                continue;
                            }
                        case 9: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.sipAdapter = value;
                                else
                                    delete message.sipAdapter;
                                continue;
                            }
                        case 10: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.rtpAdapter = value;
                                else
                                    delete message.rtpAdapter;
                                continue;
                            }
                        case 25: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.rtpPriority = value;
                                else
                                    delete message.rtpPriority;
                                continue;
                            }
                        case 11: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.capacity = value;
                                else
                                    delete message.capacity;
                                continue;
                            }
                        case 12: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.audioCodecs && message.audioCodecs.length))
                                    message.audioCodecs = [];
                                message.audioCodecs.push(reader.stringVerify());
                                continue;
                            }
                        case 13: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.hostname = value;
                                else
                                    delete message.hostname;
                                continue;
                            }
                        case 14: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.cpus = value;
                                else
                                    delete message.cpus;
                                continue;
                            }
                        case 15: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.platform = value;
                                else
                                    delete message.platform;
                                continue;
                            }
                        case 16: {
                                if (wireType !== 2)
                                    break;
                                message.policy = $root.carillon.agent.v1.PolicyDigest.decode(reader, reader.size(), $undefined, _depth + 1, message.policy);
                                continue;
                            }
                        case 17: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.videoCodecs && message.videoCodecs.length))
                                    message.videoCodecs = [];
                                message.videoCodecs.push(reader.stringVerify());
                                continue;
                            }
                        case 18: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.encryptions && message.encryptions.length))
                                    message.encryptions = [];
                                message.encryptions.push(reader.stringVerify());
                                continue;
                            }
                        case 19: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.mediaSources && message.mediaSources.length))
                                    message.mediaSources = [];
                                message.mediaSources.push(reader.stringVerify());
                                continue;
                            }
                        case 20: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.srtpCiphers = value;
                                else
                                    delete message.srtpCiphers;
                                continue;
                            }
                        case 30: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.sipAbilities && message.sipAbilities.length))
                                    message.sipAbilities = [];
                                message.sipAbilities.push(reader.stringVerify());
                                continue;
                            }
                        case 40: {
                                if (wireType !== 2)
                                    break;
                                message.calibration = $root.carillon.agent.v1.Calibration.decode(reader, reader.size(), $undefined, _depth + 1, message.calibration);
                                continue;
                            }
                        case 41: {
                                if (wireType !== 2)
                                    break;
                                message.limits = $root.carillon.agent.v1.CapacityLimits.decode(reader, reader.size(), $undefined, _depth + 1, message.limits);
                                continue;
                            }
                        case 21: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.streamCapacity = value;
                                else
                                    delete message.streamCapacity;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Hello;
            })();

            v1.CapacityLimits = (function() {

                /**
                 * Properties of a CapacityLimits.
                 * @typedef {Object} carillon.agent.v1.CapacityLimits.$Properties
                 * @property {number|null} [own] CapacityLimits own
                 * @property {number|null} [openFileStreams] CapacityLimits openFileStreams
                 * @property {number|null} [portStreams] CapacityLimits portStreams
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a CapacityLimits.
                 * @memberof carillon.agent.v1
                 * @interface ICapacityLimits
                 * @augments carillon.agent.v1.CapacityLimits.$Properties
                 * @deprecated Use carillon.agent.v1.CapacityLimits.$Properties instead.
                 */

                /**
                 * Shape of a CapacityLimits.
                 * @typedef {carillon.agent.v1.CapacityLimits.$Properties} carillon.agent.v1.CapacityLimits.$Shape
                 */

                /**
                 * Constructs a new CapacityLimits.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a CapacityLimits.
                 * @constructor
                 * @param {carillon.agent.v1.CapacityLimits.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const CapacityLimits = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * CapacityLimits own.
                 * @member {number} own
                 * @memberof carillon.agent.v1.CapacityLimits
                 * @instance
                 */
                CapacityLimits.prototype.own = 0;

                /**
                 * CapacityLimits openFileStreams.
                 * @member {number} openFileStreams
                 * @memberof carillon.agent.v1.CapacityLimits
                 * @instance
                 */
                CapacityLimits.prototype.openFileStreams = 0;

                /**
                 * CapacityLimits portStreams.
                 * @member {number} portStreams
                 * @memberof carillon.agent.v1.CapacityLimits
                 * @instance
                 */
                CapacityLimits.prototype.portStreams = 0;

                /**
                 * Encodes the specified CapacityLimits message. Does not implicitly {@link carillon.agent.v1.CapacityLimits.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.CapacityLimits
                 * @static
                 * @param {carillon.agent.v1.CapacityLimits.$Properties} message CapacityLimits message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                CapacityLimits.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.own != null && $Object.hasOwnProperty.call(message, "own") && message.own !== 0)
                        writer.uint32(/* id 1, wireType 0 =*/8).uint32(message.own);
                    if (message.openFileStreams != null && $Object.hasOwnProperty.call(message, "openFileStreams") && message.openFileStreams !== 0)
                        writer.uint32(/* id 2, wireType 0 =*/16).uint32(message.openFileStreams);
                    if (message.portStreams != null && $Object.hasOwnProperty.call(message, "portStreams") && message.portStreams !== 0)
                        writer.uint32(/* id 3, wireType 0 =*/24).uint32(message.portStreams);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a CapacityLimits message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.CapacityLimits
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.CapacityLimits & carillon.agent.v1.CapacityLimits.$Shape} CapacityLimits
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                CapacityLimits.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.CapacityLimits();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.own = value;
                                else
                                    delete message.own;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.openFileStreams = value;
                                else
                                    delete message.openFileStreams;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.portStreams = value;
                                else
                                    delete message.portStreams;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return CapacityLimits;
            })();

            v1.Calibration = (function() {

                /**
                 * Properties of a Calibration.
                 * @typedef {Object} carillon.agent.v1.Calibration.$Properties
                 * @property {string|null} [at] Calibration at
                 * @property {string|null} [build] Calibration build
                 * @property {string|null} [hardware] Calibration hardware
                 * @property {string|null} [adapter] Calibration adapter
                 * @property {number|null} [endpoints] Calibration endpoints
                 * @property {number|null} [callsPerSecond] Calibration callsPerSecond
                 * @property {string|null} [unused] Calibration unused
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Calibration.
                 * @memberof carillon.agent.v1
                 * @interface ICalibration
                 * @augments carillon.agent.v1.Calibration.$Properties
                 * @deprecated Use carillon.agent.v1.Calibration.$Properties instead.
                 */

                /**
                 * Shape of a Calibration.
                 * @typedef {carillon.agent.v1.Calibration.$Properties} carillon.agent.v1.Calibration.$Shape
                 */

                /**
                 * Constructs a new Calibration.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Calibration.
                 * @constructor
                 * @param {carillon.agent.v1.Calibration.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Calibration = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Calibration at.
                 * @member {string} at
                 * @memberof carillon.agent.v1.Calibration
                 * @instance
                 */
                Calibration.prototype.at = "";

                /**
                 * Calibration build.
                 * @member {string} build
                 * @memberof carillon.agent.v1.Calibration
                 * @instance
                 */
                Calibration.prototype.build = "";

                /**
                 * Calibration hardware.
                 * @member {string} hardware
                 * @memberof carillon.agent.v1.Calibration
                 * @instance
                 */
                Calibration.prototype.hardware = "";

                /**
                 * Calibration adapter.
                 * @member {string} adapter
                 * @memberof carillon.agent.v1.Calibration
                 * @instance
                 */
                Calibration.prototype.adapter = "";

                /**
                 * Calibration endpoints.
                 * @member {number} endpoints
                 * @memberof carillon.agent.v1.Calibration
                 * @instance
                 */
                Calibration.prototype.endpoints = 0;

                /**
                 * Calibration callsPerSecond.
                 * @member {number} callsPerSecond
                 * @memberof carillon.agent.v1.Calibration
                 * @instance
                 */
                Calibration.prototype.callsPerSecond = 0;

                /**
                 * Calibration unused.
                 * @member {string} unused
                 * @memberof carillon.agent.v1.Calibration
                 * @instance
                 */
                Calibration.prototype.unused = "";

                /**
                 * Encodes the specified Calibration message. Does not implicitly {@link carillon.agent.v1.Calibration.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Calibration
                 * @static
                 * @param {carillon.agent.v1.Calibration.$Properties} message Calibration message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Calibration.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.at != null && $Object.hasOwnProperty.call(message, "at") && message.at !== "")
                        writer.uint32(/* id 1, wireType 2 =*/10).string(message.at);
                    if (message.build != null && $Object.hasOwnProperty.call(message, "build") && message.build !== "")
                        writer.uint32(/* id 2, wireType 2 =*/18).string(message.build);
                    if (message.hardware != null && $Object.hasOwnProperty.call(message, "hardware") && message.hardware !== "")
                        writer.uint32(/* id 3, wireType 2 =*/26).string(message.hardware);
                    if (message.adapter != null && $Object.hasOwnProperty.call(message, "adapter") && message.adapter !== "")
                        writer.uint32(/* id 4, wireType 2 =*/34).string(message.adapter);
                    if (message.endpoints != null && $Object.hasOwnProperty.call(message, "endpoints") && message.endpoints !== 0)
                        writer.uint32(/* id 5, wireType 0 =*/40).uint32(message.endpoints);
                    if (message.callsPerSecond != null && $Object.hasOwnProperty.call(message, "callsPerSecond") && !$Object.is(message.callsPerSecond, 0))
                        writer.uint32(/* id 6, wireType 1 =*/49).double(message.callsPerSecond);
                    if (message.unused != null && $Object.hasOwnProperty.call(message, "unused") && message.unused !== "")
                        writer.uint32(/* id 7, wireType 2 =*/58).string(message.unused);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Calibration message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Calibration
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Calibration & carillon.agent.v1.Calibration.$Shape} Calibration
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Calibration.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Calibration();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.at = value;
                                else
                                    delete message.at;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.build = value;
                                else
                                    delete message.build;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.hardware = value;
                                else
                                    delete message.hardware;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.adapter = value;
                                else
                                    delete message.adapter;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.endpoints = value;
                                else
                                    delete message.endpoints;
                                continue;
                            }
                        case 6: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.callsPerSecond = value;
                                else
                                    delete message.callsPerSecond;
                                continue;
                            }
                        case 7: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.unused = value;
                                else
                                    delete message.unused;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Calibration;
            })();

            v1.SipListener = (function() {

                /**
                 * Properties of a SipListener.
                 * @typedef {Object} carillon.agent.v1.SipListener.$Properties
                 * @property {string|null} [address] SipListener address
                 * @property {number|null} [port] SipListener port
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a SipListener.
                 * @memberof carillon.agent.v1
                 * @interface ISipListener
                 * @augments carillon.agent.v1.SipListener.$Properties
                 * @deprecated Use carillon.agent.v1.SipListener.$Properties instead.
                 */

                /**
                 * Shape of a SipListener.
                 * @typedef {carillon.agent.v1.SipListener.$Properties} carillon.agent.v1.SipListener.$Shape
                 */

                /**
                 * Constructs a new SipListener.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a SipListener.
                 * @constructor
                 * @param {carillon.agent.v1.SipListener.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const SipListener = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * SipListener address.
                 * @member {string} address
                 * @memberof carillon.agent.v1.SipListener
                 * @instance
                 */
                SipListener.prototype.address = "";

                /**
                 * SipListener port.
                 * @member {number} port
                 * @memberof carillon.agent.v1.SipListener
                 * @instance
                 */
                SipListener.prototype.port = 0;

                /**
                 * Encodes the specified SipListener message. Does not implicitly {@link carillon.agent.v1.SipListener.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.SipListener
                 * @static
                 * @param {carillon.agent.v1.SipListener.$Properties} message SipListener message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                SipListener.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.address != null && $Object.hasOwnProperty.call(message, "address") && message.address !== "")
                        writer.uint32(/* id 1, wireType 2 =*/10).string(message.address);
                    if (message.port != null && $Object.hasOwnProperty.call(message, "port") && message.port !== 0)
                        writer.uint32(/* id 2, wireType 0 =*/16).uint32(message.port);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a SipListener message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.SipListener
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.SipListener & carillon.agent.v1.SipListener.$Shape} SipListener
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                SipListener.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.SipListener();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.address = value;
                                else
                                    delete message.address;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.port = value;
                                else
                                    delete message.port;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return SipListener;
            })();

            v1.PolicyDigest = (function() {

                /**
                 * Properties of a PolicyDigest.
                 * @typedef {Object} carillon.agent.v1.PolicyDigest.$Properties
                 * @property {Array.<string>|null} [targetNetworks] PolicyDigest targetNetworks
                 * @property {number|null} [maxCallsPerSecond] PolicyDigest maxCallsPerSecond
                 * @property {number|null} [maxEndpoints] PolicyDigest maxEndpoints
                 * @property {number|null} [maxDurationSeconds] PolicyDigest maxDurationSeconds
                 * @property {Array.<string>|null} [refusedNumbers] PolicyDigest refusedNumbers
                 * @property {Array.<string>|null} [targetDomains] PolicyDigest targetDomains
                 * @property {Array.<string>|null} [allowedNumbers] PolicyDigest allowedNumbers
                 * @property {number|null} [maxMinutesADay] PolicyDigest maxMinutesADay
                 * @property {Array.<string>|null} [mayNotKeep] PolicyDigest mayNotKeep
                 * @property {number|null} [hostCapacity] PolicyDigest hostCapacity
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a PolicyDigest.
                 * @memberof carillon.agent.v1
                 * @interface IPolicyDigest
                 * @augments carillon.agent.v1.PolicyDigest.$Properties
                 * @deprecated Use carillon.agent.v1.PolicyDigest.$Properties instead.
                 */

                /**
                 * Shape of a PolicyDigest.
                 * @typedef {carillon.agent.v1.PolicyDigest.$Properties} carillon.agent.v1.PolicyDigest.$Shape
                 */

                /**
                 * Constructs a new PolicyDigest.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a PolicyDigest.
                 * @constructor
                 * @param {carillon.agent.v1.PolicyDigest.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const PolicyDigest = function (properties) {
                    this.targetNetworks = [];
                    this.refusedNumbers = [];
                    this.targetDomains = [];
                    this.allowedNumbers = [];
                    this.mayNotKeep = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * PolicyDigest targetNetworks.
                 * @member {Array.<string>} targetNetworks
                 * @memberof carillon.agent.v1.PolicyDigest
                 * @instance
                 */
                PolicyDigest.prototype.targetNetworks = $util.emptyArray;

                /**
                 * PolicyDigest maxCallsPerSecond.
                 * @member {number} maxCallsPerSecond
                 * @memberof carillon.agent.v1.PolicyDigest
                 * @instance
                 */
                PolicyDigest.prototype.maxCallsPerSecond = 0;

                /**
                 * PolicyDigest maxEndpoints.
                 * @member {number} maxEndpoints
                 * @memberof carillon.agent.v1.PolicyDigest
                 * @instance
                 */
                PolicyDigest.prototype.maxEndpoints = 0;

                /**
                 * PolicyDigest maxDurationSeconds.
                 * @member {number} maxDurationSeconds
                 * @memberof carillon.agent.v1.PolicyDigest
                 * @instance
                 */
                PolicyDigest.prototype.maxDurationSeconds = 0;

                /**
                 * PolicyDigest refusedNumbers.
                 * @member {Array.<string>} refusedNumbers
                 * @memberof carillon.agent.v1.PolicyDigest
                 * @instance
                 */
                PolicyDigest.prototype.refusedNumbers = $util.emptyArray;

                /**
                 * PolicyDigest targetDomains.
                 * @member {Array.<string>} targetDomains
                 * @memberof carillon.agent.v1.PolicyDigest
                 * @instance
                 */
                PolicyDigest.prototype.targetDomains = $util.emptyArray;

                /**
                 * PolicyDigest allowedNumbers.
                 * @member {Array.<string>} allowedNumbers
                 * @memberof carillon.agent.v1.PolicyDigest
                 * @instance
                 */
                PolicyDigest.prototype.allowedNumbers = $util.emptyArray;

                /**
                 * PolicyDigest maxMinutesADay.
                 * @member {number} maxMinutesADay
                 * @memberof carillon.agent.v1.PolicyDigest
                 * @instance
                 */
                PolicyDigest.prototype.maxMinutesADay = 0;

                /**
                 * PolicyDigest mayNotKeep.
                 * @member {Array.<string>} mayNotKeep
                 * @memberof carillon.agent.v1.PolicyDigest
                 * @instance
                 */
                PolicyDigest.prototype.mayNotKeep = $util.emptyArray;

                /**
                 * PolicyDigest hostCapacity.
                 * @member {number} hostCapacity
                 * @memberof carillon.agent.v1.PolicyDigest
                 * @instance
                 */
                PolicyDigest.prototype.hostCapacity = 0;

                /**
                 * Encodes the specified PolicyDigest message. Does not implicitly {@link carillon.agent.v1.PolicyDigest.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.PolicyDigest
                 * @static
                 * @param {carillon.agent.v1.PolicyDigest.$Properties} message PolicyDigest message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                PolicyDigest.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.targetNetworks != null && message.targetNetworks.length)
                        for (let i = 0; i < message.targetNetworks.length; ++i)
                            writer.uint32(/* id 1, wireType 2 =*/10).string(message.targetNetworks[i]);
                    if (message.maxCallsPerSecond != null && $Object.hasOwnProperty.call(message, "maxCallsPerSecond") && !$Object.is(message.maxCallsPerSecond, 0))
                        writer.uint32(/* id 2, wireType 1 =*/17).double(message.maxCallsPerSecond);
                    if (message.maxEndpoints != null && $Object.hasOwnProperty.call(message, "maxEndpoints") && message.maxEndpoints !== 0)
                        writer.uint32(/* id 3, wireType 0 =*/24).uint32(message.maxEndpoints);
                    if (message.maxDurationSeconds != null && $Object.hasOwnProperty.call(message, "maxDurationSeconds") && message.maxDurationSeconds !== 0)
                        writer.uint32(/* id 4, wireType 0 =*/32).uint32(message.maxDurationSeconds);
                    if (message.refusedNumbers != null && message.refusedNumbers.length)
                        for (let i = 0; i < message.refusedNumbers.length; ++i)
                            writer.uint32(/* id 5, wireType 2 =*/42).string(message.refusedNumbers[i]);
                    if (message.targetDomains != null && message.targetDomains.length)
                        for (let i = 0; i < message.targetDomains.length; ++i)
                            writer.uint32(/* id 6, wireType 2 =*/50).string(message.targetDomains[i]);
                    if (message.allowedNumbers != null && message.allowedNumbers.length)
                        for (let i = 0; i < message.allowedNumbers.length; ++i)
                            writer.uint32(/* id 7, wireType 2 =*/58).string(message.allowedNumbers[i]);
                    if (message.maxMinutesADay != null && $Object.hasOwnProperty.call(message, "maxMinutesADay") && !$Object.is(message.maxMinutesADay, 0))
                        writer.uint32(/* id 8, wireType 1 =*/65).double(message.maxMinutesADay);
                    if (message.mayNotKeep != null && message.mayNotKeep.length)
                        for (let i = 0; i < message.mayNotKeep.length; ++i)
                            writer.uint32(/* id 9, wireType 2 =*/74).string(message.mayNotKeep[i]);
                    if (message.hostCapacity != null && $Object.hasOwnProperty.call(message, "hostCapacity") && message.hostCapacity !== 0)
                        writer.uint32(/* id 10, wireType 0 =*/80).uint32(message.hostCapacity);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a PolicyDigest message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.PolicyDigest
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.PolicyDigest & carillon.agent.v1.PolicyDigest.$Shape} PolicyDigest
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                PolicyDigest.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.PolicyDigest();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.targetNetworks && message.targetNetworks.length))
                                    message.targetNetworks = [];
                                message.targetNetworks.push(reader.stringVerify());
                                continue;
                            }
                        case 2: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.maxCallsPerSecond = value;
                                else
                                    delete message.maxCallsPerSecond;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.maxEndpoints = value;
                                else
                                    delete message.maxEndpoints;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.maxDurationSeconds = value;
                                else
                                    delete message.maxDurationSeconds;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.refusedNumbers && message.refusedNumbers.length))
                                    message.refusedNumbers = [];
                                message.refusedNumbers.push(reader.stringVerify());
                                continue;
                            }
                        case 6: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.targetDomains && message.targetDomains.length))
                                    message.targetDomains = [];
                                message.targetDomains.push(reader.stringVerify());
                                continue;
                            }
                        case 7: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.allowedNumbers && message.allowedNumbers.length))
                                    message.allowedNumbers = [];
                                message.allowedNumbers.push(reader.stringVerify());
                                continue;
                            }
                        case 8: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.maxMinutesADay = value;
                                else
                                    delete message.maxMinutesADay;
                                continue;
                            }
                        case 9: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.mayNotKeep && message.mayNotKeep.length))
                                    message.mayNotKeep = [];
                                message.mayNotKeep.push(reader.stringVerify());
                                continue;
                            }
                        case 10: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.hostCapacity = value;
                                else
                                    delete message.hostCapacity;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return PolicyDigest;
            })();

            v1.Welcome = (function() {

                /**
                 * Properties of a Welcome.
                 * @typedef {Object} carillon.agent.v1.Welcome.$Properties
                 * @property {Uint8Array|null} [workerId] Welcome workerId
                 * @property {string|null} [name] Welcome name
                 * @property {string|null} [region] Welcome region
                 * @property {number|null} [unixMs] Welcome unixMs
                 * @property {number|null} [nextBatch] Welcome nextBatch
                 * @property {Array.<Uint8Array>|null} [stopAllocationIds] Welcome stopAllocationIds
                 * @property {number|null} [beatSeconds] Welcome beatSeconds
                 * @property {boolean|null} [takesKeyChanges] Welcome takesKeyChanges
                 * @property {boolean|null} [takesMessageBlocks] Welcome takesMessageBlocks
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Welcome.
                 * @memberof carillon.agent.v1
                 * @interface IWelcome
                 * @augments carillon.agent.v1.Welcome.$Properties
                 * @deprecated Use carillon.agent.v1.Welcome.$Properties instead.
                 */

                /**
                 * Shape of a Welcome.
                 * @typedef {carillon.agent.v1.Welcome.$Properties} carillon.agent.v1.Welcome.$Shape
                 */

                /**
                 * Constructs a new Welcome.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Welcome.
                 * @constructor
                 * @param {carillon.agent.v1.Welcome.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Welcome = function (properties) {
                    this.stopAllocationIds = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Welcome workerId.
                 * @member {Uint8Array} workerId
                 * @memberof carillon.agent.v1.Welcome
                 * @instance
                 */
                Welcome.prototype.workerId = $util.newBuffer([]);

                /**
                 * Welcome name.
                 * @member {string} name
                 * @memberof carillon.agent.v1.Welcome
                 * @instance
                 */
                Welcome.prototype.name = "";

                /**
                 * Welcome region.
                 * @member {string} region
                 * @memberof carillon.agent.v1.Welcome
                 * @instance
                 */
                Welcome.prototype.region = "";

                /**
                 * Welcome unixMs.
                 * @member {number} unixMs
                 * @memberof carillon.agent.v1.Welcome
                 * @instance
                 */
                Welcome.prototype.unixMs = 0;

                /**
                 * Welcome nextBatch.
                 * @member {number} nextBatch
                 * @memberof carillon.agent.v1.Welcome
                 * @instance
                 */
                Welcome.prototype.nextBatch = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

                /**
                 * Welcome stopAllocationIds.
                 * @member {Array.<Uint8Array>} stopAllocationIds
                 * @memberof carillon.agent.v1.Welcome
                 * @instance
                 */
                Welcome.prototype.stopAllocationIds = $util.emptyArray;

                /**
                 * Welcome beatSeconds.
                 * @member {number} beatSeconds
                 * @memberof carillon.agent.v1.Welcome
                 * @instance
                 */
                Welcome.prototype.beatSeconds = 0;

                /**
                 * Welcome takesKeyChanges.
                 * @member {boolean} takesKeyChanges
                 * @memberof carillon.agent.v1.Welcome
                 * @instance
                 */
                Welcome.prototype.takesKeyChanges = false;

                /**
                 * Welcome takesMessageBlocks.
                 * @member {boolean} takesMessageBlocks
                 * @memberof carillon.agent.v1.Welcome
                 * @instance
                 */
                Welcome.prototype.takesMessageBlocks = false;

                /**
                 * Encodes the specified Welcome message. Does not implicitly {@link carillon.agent.v1.Welcome.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Welcome
                 * @static
                 * @param {carillon.agent.v1.Welcome.$Properties} message Welcome message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Welcome.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.workerId != null && $Object.hasOwnProperty.call(message, "workerId") && message.workerId.length)
                        writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.workerId);
                    if (message.name != null && $Object.hasOwnProperty.call(message, "name") && message.name !== "")
                        writer.uint32(/* id 2, wireType 2 =*/18).string(message.name);
                    if (message.region != null && $Object.hasOwnProperty.call(message, "region") && message.region !== "")
                        writer.uint32(/* id 3, wireType 2 =*/26).string(message.region);
                    if (message.unixMs != null && $Object.hasOwnProperty.call(message, "unixMs") && !$Object.is(message.unixMs, 0))
                        writer.uint32(/* id 4, wireType 1 =*/33).double(message.unixMs);
                    if (message.nextBatch != null && $Object.hasOwnProperty.call(message, "nextBatch") && (typeof message.nextBatch === "object" ? message.nextBatch.low || message.nextBatch.high : message.nextBatch !== 0))
                        writer.uint32(/* id 5, wireType 0 =*/40).uint64(message.nextBatch);
                    if (message.stopAllocationIds != null && message.stopAllocationIds.length)
                        for (let i = 0; i < message.stopAllocationIds.length; ++i)
                            writer.uint32(/* id 6, wireType 2 =*/50).bytes(message.stopAllocationIds[i]);
                    if (message.beatSeconds != null && $Object.hasOwnProperty.call(message, "beatSeconds") && message.beatSeconds !== 0)
                        writer.uint32(/* id 7, wireType 0 =*/56).uint32(message.beatSeconds);
                    if (message.takesKeyChanges != null && $Object.hasOwnProperty.call(message, "takesKeyChanges") && message.takesKeyChanges !== false)
                        writer.uint32(/* id 40, wireType 0 =*/320).bool(message.takesKeyChanges);
                    if (message.takesMessageBlocks != null && $Object.hasOwnProperty.call(message, "takesMessageBlocks") && message.takesMessageBlocks !== false)
                        writer.uint32(/* id 41, wireType 0 =*/328).bool(message.takesMessageBlocks);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Welcome message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Welcome
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Welcome & carillon.agent.v1.Welcome.$Shape} Welcome
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Welcome.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Welcome();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.workerId = value;
                                else
                                    delete message.workerId;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.name = value;
                                else
                                    delete message.name;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.region = value;
                                else
                                    delete message.region;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.unixMs = value;
                                else
                                    delete message.unixMs;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.nextBatch = value;
                                else
                                    delete message.nextBatch;
                                continue;
                            }
                        case 6: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.stopAllocationIds && message.stopAllocationIds.length))
                                    message.stopAllocationIds = [];
                                message.stopAllocationIds.push(reader.bytes());
                                continue;
                            }
                        case 7: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.beatSeconds = value;
                                else
                                    delete message.beatSeconds;
                                continue;
                            }
                        case 40: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.takesKeyChanges = value;
                                else
                                    delete message.takesKeyChanges;
                                continue;
                            }
                        case 41: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.takesMessageBlocks = value;
                                else
                                    delete message.takesMessageBlocks;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Welcome;
            })();

            v1.Farewell = (function() {

                /**
                 * Properties of a Farewell.
                 * @typedef {Object} carillon.agent.v1.Farewell.$Properties
                 * @property {string|null} [code] Farewell code
                 * @property {string|null} [message] Farewell message
                 * @property {boolean|null} [retry] Farewell retry
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Farewell.
                 * @memberof carillon.agent.v1
                 * @interface IFarewell
                 * @augments carillon.agent.v1.Farewell.$Properties
                 * @deprecated Use carillon.agent.v1.Farewell.$Properties instead.
                 */

                /**
                 * Shape of a Farewell.
                 * @typedef {carillon.agent.v1.Farewell.$Properties} carillon.agent.v1.Farewell.$Shape
                 */

                /**
                 * Constructs a new Farewell.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Farewell.
                 * @constructor
                 * @param {carillon.agent.v1.Farewell.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Farewell = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Farewell code.
                 * @member {string} code
                 * @memberof carillon.agent.v1.Farewell
                 * @instance
                 */
                Farewell.prototype.code = "";

                /**
                 * Farewell message.
                 * @member {string} message
                 * @memberof carillon.agent.v1.Farewell
                 * @instance
                 */
                Farewell.prototype.message = "";

                /**
                 * Farewell retry.
                 * @member {boolean} retry
                 * @memberof carillon.agent.v1.Farewell
                 * @instance
                 */
                Farewell.prototype.retry = false;

                /**
                 * Encodes the specified Farewell message. Does not implicitly {@link carillon.agent.v1.Farewell.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Farewell
                 * @static
                 * @param {carillon.agent.v1.Farewell.$Properties} message Farewell message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Farewell.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.code != null && $Object.hasOwnProperty.call(message, "code") && message.code !== "")
                        writer.uint32(/* id 1, wireType 2 =*/10).string(message.code);
                    if (message.message != null && $Object.hasOwnProperty.call(message, "message") && message.message !== "")
                        writer.uint32(/* id 2, wireType 2 =*/18).string(message.message);
                    if (message.retry != null && $Object.hasOwnProperty.call(message, "retry") && message.retry !== false)
                        writer.uint32(/* id 3, wireType 0 =*/24).bool(message.retry);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Farewell message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Farewell
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Farewell & carillon.agent.v1.Farewell.$Shape} Farewell
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Farewell.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Farewell();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.code = value;
                                else
                                    delete message.code;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.message = value;
                                else
                                    delete message.message;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.retry = value;
                                else
                                    delete message.retry;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Farewell;
            })();

            v1.Beat = (function() {

                /**
                 * Properties of a Beat.
                 * @typedef {Object} carillon.agent.v1.Beat.$Properties
                 * @property {number|null} [unixMs] Beat unixMs
                 * @property {number|null} [echoUnixMs] Beat echoUnixMs
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Beat.
                 * @memberof carillon.agent.v1
                 * @interface IBeat
                 * @augments carillon.agent.v1.Beat.$Properties
                 * @deprecated Use carillon.agent.v1.Beat.$Properties instead.
                 */

                /**
                 * Shape of a Beat.
                 * @typedef {carillon.agent.v1.Beat.$Properties} carillon.agent.v1.Beat.$Shape
                 */

                /**
                 * Constructs a new Beat.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Beat.
                 * @constructor
                 * @param {carillon.agent.v1.Beat.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Beat = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Beat unixMs.
                 * @member {number} unixMs
                 * @memberof carillon.agent.v1.Beat
                 * @instance
                 */
                Beat.prototype.unixMs = 0;

                /**
                 * Beat echoUnixMs.
                 * @member {number} echoUnixMs
                 * @memberof carillon.agent.v1.Beat
                 * @instance
                 */
                Beat.prototype.echoUnixMs = 0;

                /**
                 * Encodes the specified Beat message. Does not implicitly {@link carillon.agent.v1.Beat.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Beat
                 * @static
                 * @param {carillon.agent.v1.Beat.$Properties} message Beat message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Beat.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.unixMs != null && $Object.hasOwnProperty.call(message, "unixMs") && !$Object.is(message.unixMs, 0))
                        writer.uint32(/* id 1, wireType 1 =*/9).double(message.unixMs);
                    if (message.echoUnixMs != null && $Object.hasOwnProperty.call(message, "echoUnixMs") && !$Object.is(message.echoUnixMs, 0))
                        writer.uint32(/* id 2, wireType 1 =*/17).double(message.echoUnixMs);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Beat message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Beat
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Beat & carillon.agent.v1.Beat.$Shape} Beat
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Beat.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Beat();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.unixMs = value;
                                else
                                    delete message.unixMs;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.echoUnixMs = value;
                                else
                                    delete message.echoUnixMs;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Beat;
            })();

            v1.Batch = (function() {

                /**
                 * Properties of a Batch.
                 * @typedef {Object} carillon.agent.v1.Batch.$Properties
                 * @property {number|null} [number] Batch number
                 * @property {boolean|null} [zstd] Batch zstd
                 * @property {Uint8Array|null} [facts] Batch facts
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Batch.
                 * @memberof carillon.agent.v1
                 * @interface IBatch
                 * @augments carillon.agent.v1.Batch.$Properties
                 * @deprecated Use carillon.agent.v1.Batch.$Properties instead.
                 */

                /**
                 * Shape of a Batch.
                 * @typedef {carillon.agent.v1.Batch.$Properties} carillon.agent.v1.Batch.$Shape
                 */

                /**
                 * Constructs a new Batch.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Batch.
                 * @constructor
                 * @param {carillon.agent.v1.Batch.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Batch = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Batch number.
                 * @member {number} number
                 * @memberof carillon.agent.v1.Batch
                 * @instance
                 */
                Batch.prototype.number = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

                /**
                 * Batch zstd.
                 * @member {boolean} zstd
                 * @memberof carillon.agent.v1.Batch
                 * @instance
                 */
                Batch.prototype.zstd = false;

                /**
                 * Batch facts.
                 * @member {Uint8Array} facts
                 * @memberof carillon.agent.v1.Batch
                 * @instance
                 */
                Batch.prototype.facts = $util.newBuffer([]);

                /**
                 * Encodes the specified Batch message. Does not implicitly {@link carillon.agent.v1.Batch.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Batch
                 * @static
                 * @param {carillon.agent.v1.Batch.$Properties} message Batch message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Batch.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.number != null && $Object.hasOwnProperty.call(message, "number") && (typeof message.number === "object" ? message.number.low || message.number.high : message.number !== 0))
                        writer.uint32(/* id 1, wireType 0 =*/8).uint64(message.number);
                    if (message.zstd != null && $Object.hasOwnProperty.call(message, "zstd") && message.zstd !== false)
                        writer.uint32(/* id 2, wireType 0 =*/16).bool(message.zstd);
                    if (message.facts != null && $Object.hasOwnProperty.call(message, "facts") && message.facts.length)
                        writer.uint32(/* id 3, wireType 2 =*/26).bytes(message.facts);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Batch message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Batch
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Batch & carillon.agent.v1.Batch.$Shape} Batch
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Batch.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Batch();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.number = value;
                                else
                                    delete message.number;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.zstd = value;
                                else
                                    delete message.zstd;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.facts = value;
                                else
                                    delete message.facts;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Batch;
            })();

            v1.BatchReceipt = (function() {

                /**
                 * Properties of a BatchReceipt.
                 * @typedef {Object} carillon.agent.v1.BatchReceipt.$Properties
                 * @property {number|null} [number] BatchReceipt number
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a BatchReceipt.
                 * @memberof carillon.agent.v1
                 * @interface IBatchReceipt
                 * @augments carillon.agent.v1.BatchReceipt.$Properties
                 * @deprecated Use carillon.agent.v1.BatchReceipt.$Properties instead.
                 */

                /**
                 * Shape of a BatchReceipt.
                 * @typedef {carillon.agent.v1.BatchReceipt.$Properties} carillon.agent.v1.BatchReceipt.$Shape
                 */

                /**
                 * Constructs a new BatchReceipt.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a BatchReceipt.
                 * @constructor
                 * @param {carillon.agent.v1.BatchReceipt.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const BatchReceipt = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * BatchReceipt number.
                 * @member {number} number
                 * @memberof carillon.agent.v1.BatchReceipt
                 * @instance
                 */
                BatchReceipt.prototype.number = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

                /**
                 * Encodes the specified BatchReceipt message. Does not implicitly {@link carillon.agent.v1.BatchReceipt.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.BatchReceipt
                 * @static
                 * @param {carillon.agent.v1.BatchReceipt.$Properties} message BatchReceipt message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                BatchReceipt.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.number != null && $Object.hasOwnProperty.call(message, "number") && (typeof message.number === "object" ? message.number.low || message.number.high : message.number !== 0))
                        writer.uint32(/* id 1, wireType 0 =*/8).uint64(message.number);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a BatchReceipt message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.BatchReceipt
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.BatchReceipt & carillon.agent.v1.BatchReceipt.$Shape} BatchReceipt
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                BatchReceipt.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.BatchReceipt();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.number = value;
                                else
                                    delete message.number;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return BatchReceipt;
            })();

            v1.Command = (function() {

                /**
                 * Properties of a Command.
                 * @typedef {Object} carillon.agent.v1.Command.$Properties
                 * @property {number|null} [id] Command id
                 * @property {carillon.agent.v1.Allocation.$Properties|null} [allocate] Command allocate
                 * @property {carillon.agent.v1.Start.$Properties|null} [start] Command start
                 * @property {carillon.agent.v1.Finish.$Properties|null} [finish] Command finish
                 * @property {carillon.agent.v1.Stop.$Properties|null} [stop] Command stop
                 * @property {carillon.agent.v1.BreakOff.$Properties|null} [breakOff] Command breakOff
                 * @property {carillon.agent.v1.ChangeLoad.$Properties|null} [changeLoad] Command changeLoad
                 * @property {carillon.agent.v1.ChangeKey.$Properties|null} [changeKey] Command changeKey
                 * @property {"allocate"|"start"|"finish"|"stop"|"breakOff"|"changeLoad"|"changeKey"} [order] Command order
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Command.
                 * @memberof carillon.agent.v1
                 * @interface ICommand
                 * @augments carillon.agent.v1.Command.$Properties
                 * @deprecated Use carillon.agent.v1.Command.$Properties instead.
                 */

                /**
                 * Narrowed shape of a Command.
                 * @typedef {{
                 *   id?: number|null;
                 *   allocate?: carillon.agent.v1.Allocation.$Shape|null;
                 *   start?: carillon.agent.v1.Start.$Shape|null;
                 *   finish?: carillon.agent.v1.Finish.$Shape|null;
                 *   stop?: carillon.agent.v1.Stop.$Shape|null;
                 *   breakOff?: carillon.agent.v1.BreakOff.$Shape|null;
                 *   changeLoad?: carillon.agent.v1.ChangeLoad.$Shape|null;
                 *   changeKey?: carillon.agent.v1.ChangeKey.$Shape|null;
                 *   $unknowns?: Array.<Uint8Array>;
                 * } & (
                 *   ({ order?: undefined; allocate?: null; start?: null; finish?: null; stop?: null; breakOff?: null; changeLoad?: null; changeKey?: null }|{ order?: "allocate"; allocate: carillon.agent.v1.Allocation.$Shape; start?: null; finish?: null; stop?: null; breakOff?: null; changeLoad?: null; changeKey?: null }|{ order?: "start"; allocate?: null; start: carillon.agent.v1.Start.$Shape; finish?: null; stop?: null; breakOff?: null; changeLoad?: null; changeKey?: null }|{ order?: "finish"; allocate?: null; start?: null; finish: carillon.agent.v1.Finish.$Shape; stop?: null; breakOff?: null; changeLoad?: null; changeKey?: null }|{ order?: "stop"; allocate?: null; start?: null; finish?: null; stop: carillon.agent.v1.Stop.$Shape; breakOff?: null; changeLoad?: null; changeKey?: null }|{ order?: "breakOff"; allocate?: null; start?: null; finish?: null; stop?: null; breakOff: carillon.agent.v1.BreakOff.$Shape; changeLoad?: null; changeKey?: null }|{ order?: "changeLoad"; allocate?: null; start?: null; finish?: null; stop?: null; breakOff?: null; changeLoad: carillon.agent.v1.ChangeLoad.$Shape; changeKey?: null }|{ order?: "changeKey"; allocate?: null; start?: null; finish?: null; stop?: null; breakOff?: null; changeLoad?: null; changeKey: carillon.agent.v1.ChangeKey.$Shape })
                 * )} carillon.agent.v1.Command.$Shape
                 */

                /**
                 * Constructs a new Command.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Command.
                 * @constructor
                 * @param {carillon.agent.v1.Command.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Command = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Command id.
                 * @member {number} id
                 * @memberof carillon.agent.v1.Command
                 * @instance
                 */
                Command.prototype.id = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

                /**
                 * Command allocate.
                 * @member {carillon.agent.v1.Allocation.$Properties|null|undefined} allocate
                 * @memberof carillon.agent.v1.Command
                 * @instance
                 */
                Command.prototype.allocate = null;

                /**
                 * Command start.
                 * @member {carillon.agent.v1.Start.$Properties|null|undefined} start
                 * @memberof carillon.agent.v1.Command
                 * @instance
                 */
                Command.prototype.start = null;

                /**
                 * Command finish.
                 * @member {carillon.agent.v1.Finish.$Properties|null|undefined} finish
                 * @memberof carillon.agent.v1.Command
                 * @instance
                 */
                Command.prototype.finish = null;

                /**
                 * Command stop.
                 * @member {carillon.agent.v1.Stop.$Properties|null|undefined} stop
                 * @memberof carillon.agent.v1.Command
                 * @instance
                 */
                Command.prototype.stop = null;

                /**
                 * Command breakOff.
                 * @member {carillon.agent.v1.BreakOff.$Properties|null|undefined} breakOff
                 * @memberof carillon.agent.v1.Command
                 * @instance
                 */
                Command.prototype.breakOff = null;

                /**
                 * Command changeLoad.
                 * @member {carillon.agent.v1.ChangeLoad.$Properties|null|undefined} changeLoad
                 * @memberof carillon.agent.v1.Command
                 * @instance
                 */
                Command.prototype.changeLoad = null;

                /**
                 * Command changeKey.
                 * @member {carillon.agent.v1.ChangeKey.$Properties|null|undefined} changeKey
                 * @memberof carillon.agent.v1.Command
                 * @instance
                 */
                Command.prototype.changeKey = null;

                // OneOf field names bound to virtual getters and setters
                let $oneOfFields;

                /**
                 * Command order.
                 * @member {"allocate"|"start"|"finish"|"stop"|"breakOff"|"changeLoad"|"changeKey"|undefined} order
                 * @memberof carillon.agent.v1.Command
                 * @instance
                 */
                $Object.defineProperty(Command.prototype, "order", {
                    get: $util.oneOfGetter($oneOfFields = ["allocate", "start", "finish", "stop", "breakOff", "changeLoad", "changeKey"]),
                    set: $util.oneOfSetter($oneOfFields)
                });

                /**
                 * Encodes the specified Command message. Does not implicitly {@link carillon.agent.v1.Command.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Command
                 * @static
                 * @param {carillon.agent.v1.Command.$Properties} message Command message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Command.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.id != null && $Object.hasOwnProperty.call(message, "id") && (typeof message.id === "object" ? message.id.low || message.id.high : message.id !== 0))
                        writer.uint32(/* id 1, wireType 0 =*/8).uint64(message.id);
                    if (message.allocate != null && $Object.hasOwnProperty.call(message, "allocate"))
                        $root.carillon.agent.v1.Allocation.encode(message.allocate, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
                    if (message.start != null && $Object.hasOwnProperty.call(message, "start"))
                        $root.carillon.agent.v1.Start.encode(message.start, writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
                    if (message.finish != null && $Object.hasOwnProperty.call(message, "finish"))
                        $root.carillon.agent.v1.Finish.encode(message.finish, writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
                    if (message.stop != null && $Object.hasOwnProperty.call(message, "stop"))
                        $root.carillon.agent.v1.Stop.encode(message.stop, writer.uint32(/* id 5, wireType 2 =*/42).fork(), _depth + 1).ldelim();
                    if (message.breakOff != null && $Object.hasOwnProperty.call(message, "breakOff"))
                        $root.carillon.agent.v1.BreakOff.encode(message.breakOff, writer.uint32(/* id 20, wireType 2 =*/162).fork(), _depth + 1).ldelim();
                    if (message.changeLoad != null && $Object.hasOwnProperty.call(message, "changeLoad"))
                        $root.carillon.agent.v1.ChangeLoad.encode(message.changeLoad, writer.uint32(/* id 21, wireType 2 =*/170).fork(), _depth + 1).ldelim();
                    if (message.changeKey != null && $Object.hasOwnProperty.call(message, "changeKey"))
                        $root.carillon.agent.v1.ChangeKey.encode(message.changeKey, writer.uint32(/* id 40, wireType 2 =*/322).fork(), _depth + 1).ldelim();
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Command message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Command
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Command & carillon.agent.v1.Command.$Shape} Command
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Command.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Command();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.id = value;
                                else
                                    delete message.id;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                message.allocate = $root.carillon.agent.v1.Allocation.decode(reader, reader.size(), $undefined, _depth + 1, message.allocate);
                                message.order = "allocate";
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                message.start = $root.carillon.agent.v1.Start.decode(reader, reader.size(), $undefined, _depth + 1, message.start);
                                message.order = "start";
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                message.finish = $root.carillon.agent.v1.Finish.decode(reader, reader.size(), $undefined, _depth + 1, message.finish);
                                message.order = "finish";
                                continue;
                            }
                        case 5: {
                                if (wireType !== 2)
                                    break;
                                message.stop = $root.carillon.agent.v1.Stop.decode(reader, reader.size(), $undefined, _depth + 1, message.stop);
                                message.order = "stop";
                                continue;
                            }
                        case 20: {
                                if (wireType !== 2)
                                    break;
                                message.breakOff = $root.carillon.agent.v1.BreakOff.decode(reader, reader.size(), $undefined, _depth + 1, message.breakOff);
                                message.order = "breakOff";
                                continue;
                            }
                        case 21: {
                                if (wireType !== 2)
                                    break;
                                message.changeLoad = $root.carillon.agent.v1.ChangeLoad.decode(reader, reader.size(), $undefined, _depth + 1, message.changeLoad);
                                message.order = "changeLoad";
                                continue;
                            }
                        case 40: {
                                if (wireType !== 2)
                                    break;
                                message.changeKey = $root.carillon.agent.v1.ChangeKey.decode(reader, reader.size(), $undefined, _depth + 1, message.changeKey);
                                message.order = "changeKey";
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Command;
            })();

            v1.ChangeKey = (function() {

                /**
                 * Properties of a ChangeKey.
                 * @typedef {Object} carillon.agent.v1.ChangeKey.$Properties
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a ChangeKey.
                 * @memberof carillon.agent.v1
                 * @interface IChangeKey
                 * @augments carillon.agent.v1.ChangeKey.$Properties
                 * @deprecated Use carillon.agent.v1.ChangeKey.$Properties instead.
                 */

                /**
                 * Shape of a ChangeKey.
                 * @typedef {carillon.agent.v1.ChangeKey.$Properties} carillon.agent.v1.ChangeKey.$Shape
                 */

                /**
                 * Constructs a new ChangeKey.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a ChangeKey.
                 * @constructor
                 * @param {carillon.agent.v1.ChangeKey.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const ChangeKey = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Encodes the specified ChangeKey message. Does not implicitly {@link carillon.agent.v1.ChangeKey.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.ChangeKey
                 * @static
                 * @param {carillon.agent.v1.ChangeKey.$Properties} message ChangeKey message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                ChangeKey.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a ChangeKey message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.ChangeKey
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.ChangeKey & carillon.agent.v1.ChangeKey.$Shape} ChangeKey
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                ChangeKey.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.ChangeKey();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        reader.skipType(tag & 7, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return ChangeKey;
            })();

            v1.KeyChange = (function() {

                /**
                 * Properties of a KeyChange.
                 * @typedef {Object} carillon.agent.v1.KeyChange.$Properties
                 * @property {Uint8Array|null} [publicKey] KeyChange publicKey
                 * @property {Uint8Array|null} [consent] KeyChange consent
                 * @property {Uint8Array|null} [proof] KeyChange proof
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a KeyChange.
                 * @memberof carillon.agent.v1
                 * @interface IKeyChange
                 * @augments carillon.agent.v1.KeyChange.$Properties
                 * @deprecated Use carillon.agent.v1.KeyChange.$Properties instead.
                 */

                /**
                 * Shape of a KeyChange.
                 * @typedef {carillon.agent.v1.KeyChange.$Properties} carillon.agent.v1.KeyChange.$Shape
                 */

                /**
                 * Constructs a new KeyChange.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a KeyChange.
                 * @constructor
                 * @param {carillon.agent.v1.KeyChange.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const KeyChange = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * KeyChange publicKey.
                 * @member {Uint8Array} publicKey
                 * @memberof carillon.agent.v1.KeyChange
                 * @instance
                 */
                KeyChange.prototype.publicKey = $util.newBuffer([]);

                /**
                 * KeyChange consent.
                 * @member {Uint8Array} consent
                 * @memberof carillon.agent.v1.KeyChange
                 * @instance
                 */
                KeyChange.prototype.consent = $util.newBuffer([]);

                /**
                 * KeyChange proof.
                 * @member {Uint8Array} proof
                 * @memberof carillon.agent.v1.KeyChange
                 * @instance
                 */
                KeyChange.prototype.proof = $util.newBuffer([]);

                /**
                 * Encodes the specified KeyChange message. Does not implicitly {@link carillon.agent.v1.KeyChange.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.KeyChange
                 * @static
                 * @param {carillon.agent.v1.KeyChange.$Properties} message KeyChange message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                KeyChange.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.publicKey != null && $Object.hasOwnProperty.call(message, "publicKey") && message.publicKey.length)
                        writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.publicKey);
                    if (message.consent != null && $Object.hasOwnProperty.call(message, "consent") && message.consent.length)
                        writer.uint32(/* id 2, wireType 2 =*/18).bytes(message.consent);
                    if (message.proof != null && $Object.hasOwnProperty.call(message, "proof") && message.proof.length)
                        writer.uint32(/* id 3, wireType 2 =*/26).bytes(message.proof);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a KeyChange message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.KeyChange
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.KeyChange & carillon.agent.v1.KeyChange.$Shape} KeyChange
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                KeyChange.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.KeyChange();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.publicKey = value;
                                else
                                    delete message.publicKey;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.consent = value;
                                else
                                    delete message.consent;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.proof = value;
                                else
                                    delete message.proof;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return KeyChange;
            })();

            v1.KeyReceipt = (function() {

                /**
                 * Properties of a KeyReceipt.
                 * @typedef {Object} carillon.agent.v1.KeyReceipt.$Properties
                 * @property {Uint8Array|null} [publicKey] KeyReceipt publicKey
                 * @property {string|null} [refused] KeyReceipt refused
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a KeyReceipt.
                 * @memberof carillon.agent.v1
                 * @interface IKeyReceipt
                 * @augments carillon.agent.v1.KeyReceipt.$Properties
                 * @deprecated Use carillon.agent.v1.KeyReceipt.$Properties instead.
                 */

                /**
                 * Shape of a KeyReceipt.
                 * @typedef {carillon.agent.v1.KeyReceipt.$Properties} carillon.agent.v1.KeyReceipt.$Shape
                 */

                /**
                 * Constructs a new KeyReceipt.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a KeyReceipt.
                 * @constructor
                 * @param {carillon.agent.v1.KeyReceipt.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const KeyReceipt = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * KeyReceipt publicKey.
                 * @member {Uint8Array} publicKey
                 * @memberof carillon.agent.v1.KeyReceipt
                 * @instance
                 */
                KeyReceipt.prototype.publicKey = $util.newBuffer([]);

                /**
                 * KeyReceipt refused.
                 * @member {string} refused
                 * @memberof carillon.agent.v1.KeyReceipt
                 * @instance
                 */
                KeyReceipt.prototype.refused = "";

                /**
                 * Encodes the specified KeyReceipt message. Does not implicitly {@link carillon.agent.v1.KeyReceipt.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.KeyReceipt
                 * @static
                 * @param {carillon.agent.v1.KeyReceipt.$Properties} message KeyReceipt message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                KeyReceipt.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.publicKey != null && $Object.hasOwnProperty.call(message, "publicKey") && message.publicKey.length)
                        writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.publicKey);
                    if (message.refused != null && $Object.hasOwnProperty.call(message, "refused") && message.refused !== "")
                        writer.uint32(/* id 2, wireType 2 =*/18).string(message.refused);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a KeyReceipt message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.KeyReceipt
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.KeyReceipt & carillon.agent.v1.KeyReceipt.$Shape} KeyReceipt
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                KeyReceipt.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.KeyReceipt();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.publicKey = value;
                                else
                                    delete message.publicKey;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.refused = value;
                                else
                                    delete message.refused;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return KeyReceipt;
            })();

            v1.CommandReceipt = (function() {

                /**
                 * Properties of a CommandReceipt.
                 * @typedef {Object} carillon.agent.v1.CommandReceipt.$Properties
                 * @property {number|null} [id] CommandReceipt id
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a CommandReceipt.
                 * @memberof carillon.agent.v1
                 * @interface ICommandReceipt
                 * @augments carillon.agent.v1.CommandReceipt.$Properties
                 * @deprecated Use carillon.agent.v1.CommandReceipt.$Properties instead.
                 */

                /**
                 * Shape of a CommandReceipt.
                 * @typedef {carillon.agent.v1.CommandReceipt.$Properties} carillon.agent.v1.CommandReceipt.$Shape
                 */

                /**
                 * Constructs a new CommandReceipt.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a CommandReceipt.
                 * @constructor
                 * @param {carillon.agent.v1.CommandReceipt.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const CommandReceipt = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * CommandReceipt id.
                 * @member {number} id
                 * @memberof carillon.agent.v1.CommandReceipt
                 * @instance
                 */
                CommandReceipt.prototype.id = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

                /**
                 * Encodes the specified CommandReceipt message. Does not implicitly {@link carillon.agent.v1.CommandReceipt.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.CommandReceipt
                 * @static
                 * @param {carillon.agent.v1.CommandReceipt.$Properties} message CommandReceipt message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                CommandReceipt.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.id != null && $Object.hasOwnProperty.call(message, "id") && (typeof message.id === "object" ? message.id.low || message.id.high : message.id !== 0))
                        writer.uint32(/* id 1, wireType 0 =*/8).uint64(message.id);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a CommandReceipt message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.CommandReceipt
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.CommandReceipt & carillon.agent.v1.CommandReceipt.$Shape} CommandReceipt
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                CommandReceipt.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.CommandReceipt();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.id = value;
                                else
                                    delete message.id;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return CommandReceipt;
            })();

            v1.MediaRequest = (function() {

                /**
                 * Properties of a MediaRequest.
                 * @typedef {Object} carillon.agent.v1.MediaRequest.$Properties
                 * @property {Uint8Array|null} [sha256] MediaRequest sha256
                 * @property {number|null} [offset] MediaRequest offset
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a MediaRequest.
                 * @memberof carillon.agent.v1
                 * @interface IMediaRequest
                 * @augments carillon.agent.v1.MediaRequest.$Properties
                 * @deprecated Use carillon.agent.v1.MediaRequest.$Properties instead.
                 */

                /**
                 * Shape of a MediaRequest.
                 * @typedef {carillon.agent.v1.MediaRequest.$Properties} carillon.agent.v1.MediaRequest.$Shape
                 */

                /**
                 * Constructs a new MediaRequest.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a MediaRequest.
                 * @constructor
                 * @param {carillon.agent.v1.MediaRequest.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const MediaRequest = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * MediaRequest sha256.
                 * @member {Uint8Array} sha256
                 * @memberof carillon.agent.v1.MediaRequest
                 * @instance
                 */
                MediaRequest.prototype.sha256 = $util.newBuffer([]);

                /**
                 * MediaRequest offset.
                 * @member {number} offset
                 * @memberof carillon.agent.v1.MediaRequest
                 * @instance
                 */
                MediaRequest.prototype.offset = 0;

                /**
                 * Encodes the specified MediaRequest message. Does not implicitly {@link carillon.agent.v1.MediaRequest.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.MediaRequest
                 * @static
                 * @param {carillon.agent.v1.MediaRequest.$Properties} message MediaRequest message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                MediaRequest.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.sha256 != null && $Object.hasOwnProperty.call(message, "sha256") && message.sha256.length)
                        writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.sha256);
                    if (message.offset != null && $Object.hasOwnProperty.call(message, "offset") && message.offset !== 0)
                        writer.uint32(/* id 2, wireType 0 =*/16).uint32(message.offset);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a MediaRequest message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.MediaRequest
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.MediaRequest & carillon.agent.v1.MediaRequest.$Shape} MediaRequest
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                MediaRequest.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.MediaRequest();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.sha256 = value;
                                else
                                    delete message.sha256;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.offset = value;
                                else
                                    delete message.offset;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return MediaRequest;
            })();

            v1.MediaChunk = (function() {

                /**
                 * Properties of a MediaChunk.
                 * @typedef {Object} carillon.agent.v1.MediaChunk.$Properties
                 * @property {Uint8Array|null} [sha256] MediaChunk sha256
                 * @property {number|null} [offset] MediaChunk offset
                 * @property {number|null} [totalBytes] MediaChunk totalBytes
                 * @property {Uint8Array|null} [data] MediaChunk data
                 * @property {string|null} [refused] MediaChunk refused
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a MediaChunk.
                 * @memberof carillon.agent.v1
                 * @interface IMediaChunk
                 * @augments carillon.agent.v1.MediaChunk.$Properties
                 * @deprecated Use carillon.agent.v1.MediaChunk.$Properties instead.
                 */

                /**
                 * Shape of a MediaChunk.
                 * @typedef {carillon.agent.v1.MediaChunk.$Properties} carillon.agent.v1.MediaChunk.$Shape
                 */

                /**
                 * Constructs a new MediaChunk.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a MediaChunk.
                 * @constructor
                 * @param {carillon.agent.v1.MediaChunk.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const MediaChunk = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * MediaChunk sha256.
                 * @member {Uint8Array} sha256
                 * @memberof carillon.agent.v1.MediaChunk
                 * @instance
                 */
                MediaChunk.prototype.sha256 = $util.newBuffer([]);

                /**
                 * MediaChunk offset.
                 * @member {number} offset
                 * @memberof carillon.agent.v1.MediaChunk
                 * @instance
                 */
                MediaChunk.prototype.offset = 0;

                /**
                 * MediaChunk totalBytes.
                 * @member {number} totalBytes
                 * @memberof carillon.agent.v1.MediaChunk
                 * @instance
                 */
                MediaChunk.prototype.totalBytes = 0;

                /**
                 * MediaChunk data.
                 * @member {Uint8Array} data
                 * @memberof carillon.agent.v1.MediaChunk
                 * @instance
                 */
                MediaChunk.prototype.data = $util.newBuffer([]);

                /**
                 * MediaChunk refused.
                 * @member {string} refused
                 * @memberof carillon.agent.v1.MediaChunk
                 * @instance
                 */
                MediaChunk.prototype.refused = "";

                /**
                 * Encodes the specified MediaChunk message. Does not implicitly {@link carillon.agent.v1.MediaChunk.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.MediaChunk
                 * @static
                 * @param {carillon.agent.v1.MediaChunk.$Properties} message MediaChunk message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                MediaChunk.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.sha256 != null && $Object.hasOwnProperty.call(message, "sha256") && message.sha256.length)
                        writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.sha256);
                    if (message.offset != null && $Object.hasOwnProperty.call(message, "offset") && message.offset !== 0)
                        writer.uint32(/* id 2, wireType 0 =*/16).uint32(message.offset);
                    if (message.totalBytes != null && $Object.hasOwnProperty.call(message, "totalBytes") && message.totalBytes !== 0)
                        writer.uint32(/* id 3, wireType 0 =*/24).uint32(message.totalBytes);
                    if (message.data != null && $Object.hasOwnProperty.call(message, "data") && message.data.length)
                        writer.uint32(/* id 4, wireType 2 =*/34).bytes(message.data);
                    if (message.refused != null && $Object.hasOwnProperty.call(message, "refused") && message.refused !== "")
                        writer.uint32(/* id 5, wireType 2 =*/42).string(message.refused);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a MediaChunk message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.MediaChunk
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.MediaChunk & carillon.agent.v1.MediaChunk.$Shape} MediaChunk
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                MediaChunk.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.MediaChunk();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.sha256 = value;
                                else
                                    delete message.sha256;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.offset = value;
                                else
                                    delete message.offset;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.totalBytes = value;
                                else
                                    delete message.totalBytes;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.data = value;
                                else
                                    delete message.data;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.refused = value;
                                else
                                    delete message.refused;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return MediaChunk;
            })();

            /**
             * Role enum.
             * @name carillon.agent.v1.Role
             * @enum {number}
             * @property {number} ROLE_UNSPECIFIED=0 ROLE_UNSPECIFIED value
             * @property {number} CALLER=1 CALLER value
             * @property {number} CALLEE=2 CALLEE value
             */
            v1.Role = (function() {
                const valuesById = $Object.create(null), values = $Object.create(valuesById);
                values[valuesById[0] = "ROLE_UNSPECIFIED"] = 0;
                values[valuesById[1] = "CALLER"] = 1;
                values[valuesById[2] = "CALLEE"] = 2;
                return values;
            })();

            v1.Allocation = (function() {

                /**
                 * Properties of an Allocation.
                 * @typedef {Object} carillon.agent.v1.Allocation.$Properties
                 * @property {Uint8Array|null} [allocationId] Allocation allocationId
                 * @property {Uint8Array|null} [runId] Allocation runId
                 * @property {carillon.agent.v1.Role|null} [role] Allocation role
                 * @property {carillon.agent.v1.Group.$Properties|null} [group] Allocation group
                 * @property {carillon.agent.v1.Endpoints.$Properties|null} [endpoints] Allocation endpoints
                 * @property {number|null} [callDurationMs] Allocation callDurationMs
                 * @property {number|null} [answerTimeoutMs] Allocation answerTimeoutMs
                 * @property {number|null} [receiveWindowMs] Allocation receiveWindowMs
                 * @property {number|null} [hardEndMs] Allocation hardEndMs
                 * @property {number|null} [sampleIntervalMs] Allocation sampleIntervalMs
                 * @property {boolean|null} [keepMessages] Allocation keepMessages
                 * @property {carillon.agent.v1.Breaker.$Properties|null} [breaker] Allocation breaker
                 * @property {number|null} [atOnce] Allocation atOnce
                 * @property {carillon.agent.v1.RtpTrace.$Properties|null} [rtpTrace] Allocation rtpTrace
                 * @property {carillon.agent.v1.Load.$Properties|null} [load] Allocation load
                 * @property {carillon.agent.v1.Keeping.$Properties|null} [keeping] Allocation keeping
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of an Allocation.
                 * @memberof carillon.agent.v1
                 * @interface IAllocation
                 * @augments carillon.agent.v1.Allocation.$Properties
                 * @deprecated Use carillon.agent.v1.Allocation.$Properties instead.
                 */

                /**
                 * Shape of an Allocation.
                 * @typedef {carillon.agent.v1.Allocation.$Properties} carillon.agent.v1.Allocation.$Shape
                 */

                /**
                 * Constructs a new Allocation.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents an Allocation.
                 * @constructor
                 * @param {carillon.agent.v1.Allocation.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Allocation = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Allocation allocationId.
                 * @member {Uint8Array} allocationId
                 * @memberof carillon.agent.v1.Allocation
                 * @instance
                 */
                Allocation.prototype.allocationId = $util.newBuffer([]);

                /**
                 * Allocation runId.
                 * @member {Uint8Array} runId
                 * @memberof carillon.agent.v1.Allocation
                 * @instance
                 */
                Allocation.prototype.runId = $util.newBuffer([]);

                /**
                 * Allocation role.
                 * @member {carillon.agent.v1.Role} role
                 * @memberof carillon.agent.v1.Allocation
                 * @instance
                 */
                Allocation.prototype.role = 0;

                /**
                 * Allocation group.
                 * @member {carillon.agent.v1.Group.$Properties|null|undefined} group
                 * @memberof carillon.agent.v1.Allocation
                 * @instance
                 */
                Allocation.prototype.group = null;

                /**
                 * Allocation endpoints.
                 * @member {carillon.agent.v1.Endpoints.$Properties|null|undefined} endpoints
                 * @memberof carillon.agent.v1.Allocation
                 * @instance
                 */
                Allocation.prototype.endpoints = null;

                /**
                 * Allocation callDurationMs.
                 * @member {number} callDurationMs
                 * @memberof carillon.agent.v1.Allocation
                 * @instance
                 */
                Allocation.prototype.callDurationMs = 0;

                /**
                 * Allocation answerTimeoutMs.
                 * @member {number} answerTimeoutMs
                 * @memberof carillon.agent.v1.Allocation
                 * @instance
                 */
                Allocation.prototype.answerTimeoutMs = 0;

                /**
                 * Allocation receiveWindowMs.
                 * @member {number} receiveWindowMs
                 * @memberof carillon.agent.v1.Allocation
                 * @instance
                 */
                Allocation.prototype.receiveWindowMs = 0;

                /**
                 * Allocation hardEndMs.
                 * @member {number} hardEndMs
                 * @memberof carillon.agent.v1.Allocation
                 * @instance
                 */
                Allocation.prototype.hardEndMs = 0;

                /**
                 * Allocation sampleIntervalMs.
                 * @member {number} sampleIntervalMs
                 * @memberof carillon.agent.v1.Allocation
                 * @instance
                 */
                Allocation.prototype.sampleIntervalMs = 0;

                /**
                 * Allocation keepMessages.
                 * @member {boolean} keepMessages
                 * @memberof carillon.agent.v1.Allocation
                 * @instance
                 */
                Allocation.prototype.keepMessages = false;

                /**
                 * Allocation breaker.
                 * @member {carillon.agent.v1.Breaker.$Properties|null|undefined} breaker
                 * @memberof carillon.agent.v1.Allocation
                 * @instance
                 */
                Allocation.prototype.breaker = null;

                /**
                 * Allocation atOnce.
                 * @member {number} atOnce
                 * @memberof carillon.agent.v1.Allocation
                 * @instance
                 */
                Allocation.prototype.atOnce = 0;

                /**
                 * Allocation rtpTrace.
                 * @member {carillon.agent.v1.RtpTrace.$Properties|null|undefined} rtpTrace
                 * @memberof carillon.agent.v1.Allocation
                 * @instance
                 */
                Allocation.prototype.rtpTrace = null;

                /**
                 * Allocation load.
                 * @member {carillon.agent.v1.Load.$Properties|null|undefined} load
                 * @memberof carillon.agent.v1.Allocation
                 * @instance
                 */
                Allocation.prototype.load = null;

                /**
                 * Allocation keeping.
                 * @member {carillon.agent.v1.Keeping.$Properties|null|undefined} keeping
                 * @memberof carillon.agent.v1.Allocation
                 * @instance
                 */
                Allocation.prototype.keeping = null;

                /**
                 * Encodes the specified Allocation message. Does not implicitly {@link carillon.agent.v1.Allocation.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Allocation
                 * @static
                 * @param {carillon.agent.v1.Allocation.$Properties} message Allocation message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Allocation.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.allocationId != null && $Object.hasOwnProperty.call(message, "allocationId") && message.allocationId.length)
                        writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.allocationId);
                    if (message.runId != null && $Object.hasOwnProperty.call(message, "runId") && message.runId.length)
                        writer.uint32(/* id 2, wireType 2 =*/18).bytes(message.runId);
                    if (message.role != null && $Object.hasOwnProperty.call(message, "role") && message.role !== 0)
                        writer.uint32(/* id 3, wireType 0 =*/24).int32(message.role);
                    if (message.group != null && $Object.hasOwnProperty.call(message, "group"))
                        $root.carillon.agent.v1.Group.encode(message.group, writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
                    if (message.endpoints != null && $Object.hasOwnProperty.call(message, "endpoints"))
                        $root.carillon.agent.v1.Endpoints.encode(message.endpoints, writer.uint32(/* id 5, wireType 2 =*/42).fork(), _depth + 1).ldelim();
                    if (message.callDurationMs != null && $Object.hasOwnProperty.call(message, "callDurationMs") && message.callDurationMs !== 0)
                        writer.uint32(/* id 6, wireType 0 =*/48).uint32(message.callDurationMs);
                    if (message.answerTimeoutMs != null && $Object.hasOwnProperty.call(message, "answerTimeoutMs") && message.answerTimeoutMs !== 0)
                        writer.uint32(/* id 7, wireType 0 =*/56).uint32(message.answerTimeoutMs);
                    if (message.receiveWindowMs != null && $Object.hasOwnProperty.call(message, "receiveWindowMs") && message.receiveWindowMs !== 0)
                        writer.uint32(/* id 8, wireType 0 =*/64).uint32(message.receiveWindowMs);
                    if (message.hardEndMs != null && $Object.hasOwnProperty.call(message, "hardEndMs") && message.hardEndMs !== 0)
                        writer.uint32(/* id 9, wireType 0 =*/72).uint32(message.hardEndMs);
                    if (message.sampleIntervalMs != null && $Object.hasOwnProperty.call(message, "sampleIntervalMs") && message.sampleIntervalMs !== 0)
                        writer.uint32(/* id 10, wireType 0 =*/80).uint32(message.sampleIntervalMs);
                    if (message.keepMessages != null && $Object.hasOwnProperty.call(message, "keepMessages") && message.keepMessages !== false)
                        writer.uint32(/* id 11, wireType 0 =*/88).bool(message.keepMessages);
                    if (message.breaker != null && $Object.hasOwnProperty.call(message, "breaker"))
                        $root.carillon.agent.v1.Breaker.encode(message.breaker, writer.uint32(/* id 20, wireType 2 =*/162).fork(), _depth + 1).ldelim();
                    if (message.rtpTrace != null && $Object.hasOwnProperty.call(message, "rtpTrace"))
                        $root.carillon.agent.v1.RtpTrace.encode(message.rtpTrace, writer.uint32(/* id 21, wireType 2 =*/170).fork(), _depth + 1).ldelim();
                    if (message.atOnce != null && $Object.hasOwnProperty.call(message, "atOnce") && message.atOnce !== 0)
                        writer.uint32(/* id 22, wireType 0 =*/176).uint32(message.atOnce);
                    if (message.load != null && $Object.hasOwnProperty.call(message, "load"))
                        $root.carillon.agent.v1.Load.encode(message.load, writer.uint32(/* id 23, wireType 2 =*/186).fork(), _depth + 1).ldelim();
                    if (message.keeping != null && $Object.hasOwnProperty.call(message, "keeping"))
                        $root.carillon.agent.v1.Keeping.encode(message.keeping, writer.uint32(/* id 24, wireType 2 =*/194).fork(), _depth + 1).ldelim();
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes an Allocation message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Allocation
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Allocation & carillon.agent.v1.Allocation.$Shape} Allocation
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Allocation.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Allocation();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.allocationId = value;
                                else
                                    delete message.allocationId;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.runId = value;
                                else
                                    delete message.runId;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.int32())
                                    message.role = value;
                                else
                                    delete message.role;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                message.group = $root.carillon.agent.v1.Group.decode(reader, reader.size(), $undefined, _depth + 1, message.group);
                                continue;
                            }
                        case 5: {
                                if (wireType !== 2)
                                    break;
                                message.endpoints = $root.carillon.agent.v1.Endpoints.decode(reader, reader.size(), $undefined, _depth + 1, message.endpoints);
                                continue;
                            }
                        case 6: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.callDurationMs = value;
                                else
                                    delete message.callDurationMs;
                                continue;
                            }
                        case 7: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.answerTimeoutMs = value;
                                else
                                    delete message.answerTimeoutMs;
                                continue;
                            }
                        case 8: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.receiveWindowMs = value;
                                else
                                    delete message.receiveWindowMs;
                                continue;
                            }
                        case 9: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.hardEndMs = value;
                                else
                                    delete message.hardEndMs;
                                continue;
                            }
                        case 10: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.sampleIntervalMs = value;
                                else
                                    delete message.sampleIntervalMs;
                                continue;
                            }
                        case 11: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.keepMessages = value;
                                else
                                    delete message.keepMessages;
                                continue;
                            }
                        case 20: {
                                if (wireType !== 2)
                                    break;
                                message.breaker = $root.carillon.agent.v1.Breaker.decode(reader, reader.size(), $undefined, _depth + 1, message.breaker);
                                continue;
                            }
                        case 22: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.atOnce = value;
                                else
                                    delete message.atOnce;
                                continue;
                            }
                        case 21: {
                                if (wireType !== 2)
                                    break;
                                message.rtpTrace = $root.carillon.agent.v1.RtpTrace.decode(reader, reader.size(), $undefined, _depth + 1, message.rtpTrace);
                                continue;
                            }
                        case 23: {
                                if (wireType !== 2)
                                    break;
                                message.load = $root.carillon.agent.v1.Load.decode(reader, reader.size(), $undefined, _depth + 1, message.load);
                                continue;
                            }
                        case 24: {
                                if (wireType !== 2)
                                    break;
                                message.keeping = $root.carillon.agent.v1.Keeping.decode(reader, reader.size(), $undefined, _depth + 1, message.keeping);
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Allocation;
            })();

            v1.Keeping = (function() {

                /**
                 * Properties of a Keeping.
                 * @typedef {Object} carillon.agent.v1.Keeping.$Properties
                 * @property {number|null} [oneIn] Keeping oneIn
                 * @property {number|null} [seed] Keeping seed
                 * @property {number|null} [ofCluster] Keeping ofCluster
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Keeping.
                 * @memberof carillon.agent.v1
                 * @interface IKeeping
                 * @augments carillon.agent.v1.Keeping.$Properties
                 * @deprecated Use carillon.agent.v1.Keeping.$Properties instead.
                 */

                /**
                 * Shape of a Keeping.
                 * @typedef {carillon.agent.v1.Keeping.$Properties} carillon.agent.v1.Keeping.$Shape
                 */

                /**
                 * Constructs a new Keeping.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Keeping.
                 * @constructor
                 * @param {carillon.agent.v1.Keeping.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Keeping = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Keeping oneIn.
                 * @member {number} oneIn
                 * @memberof carillon.agent.v1.Keeping
                 * @instance
                 */
                Keeping.prototype.oneIn = 0;

                /**
                 * Keeping seed.
                 * @member {number} seed
                 * @memberof carillon.agent.v1.Keeping
                 * @instance
                 */
                Keeping.prototype.seed = 0;

                /**
                 * Keeping ofCluster.
                 * @member {number} ofCluster
                 * @memberof carillon.agent.v1.Keeping
                 * @instance
                 */
                Keeping.prototype.ofCluster = 0;

                /**
                 * Encodes the specified Keeping message. Does not implicitly {@link carillon.agent.v1.Keeping.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Keeping
                 * @static
                 * @param {carillon.agent.v1.Keeping.$Properties} message Keeping message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Keeping.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.oneIn != null && $Object.hasOwnProperty.call(message, "oneIn") && message.oneIn !== 0)
                        writer.uint32(/* id 1, wireType 0 =*/8).uint32(message.oneIn);
                    if (message.seed != null && $Object.hasOwnProperty.call(message, "seed") && message.seed !== 0)
                        writer.uint32(/* id 2, wireType 0 =*/16).uint32(message.seed);
                    if (message.ofCluster != null && $Object.hasOwnProperty.call(message, "ofCluster") && message.ofCluster !== 0)
                        writer.uint32(/* id 3, wireType 0 =*/24).uint32(message.ofCluster);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Keeping message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Keeping
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Keeping & carillon.agent.v1.Keeping.$Shape} Keeping
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Keeping.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Keeping();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.oneIn = value;
                                else
                                    delete message.oneIn;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.seed = value;
                                else
                                    delete message.seed;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.ofCluster = value;
                                else
                                    delete message.ofCluster;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Keeping;
            })();

            v1.Load = (function() {

                /**
                 * Properties of a Load.
                 * @typedef {Object} carillon.agent.v1.Load.$Properties
                 * @property {string|null} [shape] Load shape
                 * @property {Array.<carillon.agent.v1.LoadStep.$Properties>|null} [steps] Load steps
                 * @property {number|null} [calls] Load calls
                 * @property {number|null} [seed] Load seed
                 * @property {number|null} [partFrom] Load partFrom
                 * @property {number|null} [partUntil] Load partUntil
                 * @property {number|null} [parts] Load parts
                 * @property {number|null} [callsEach] Load callsEach
                 * @property {number|null} [runEndpoints] Load runEndpoints
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Load.
                 * @memberof carillon.agent.v1
                 * @interface ILoad
                 * @augments carillon.agent.v1.Load.$Properties
                 * @deprecated Use carillon.agent.v1.Load.$Properties instead.
                 */

                /**
                 * Shape of a Load.
                 * @typedef {carillon.agent.v1.Load.$Properties} carillon.agent.v1.Load.$Shape
                 */

                /**
                 * Constructs a new Load.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Load.
                 * @constructor
                 * @param {carillon.agent.v1.Load.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Load = function (properties) {
                    this.steps = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Load shape.
                 * @member {string} shape
                 * @memberof carillon.agent.v1.Load
                 * @instance
                 */
                Load.prototype.shape = "";

                /**
                 * Load steps.
                 * @member {Array.<carillon.agent.v1.LoadStep.$Properties>} steps
                 * @memberof carillon.agent.v1.Load
                 * @instance
                 */
                Load.prototype.steps = $util.emptyArray;

                /**
                 * Load calls.
                 * @member {number} calls
                 * @memberof carillon.agent.v1.Load
                 * @instance
                 */
                Load.prototype.calls = 0;

                /**
                 * Load seed.
                 * @member {number} seed
                 * @memberof carillon.agent.v1.Load
                 * @instance
                 */
                Load.prototype.seed = 0;

                /**
                 * Load partFrom.
                 * @member {number} partFrom
                 * @memberof carillon.agent.v1.Load
                 * @instance
                 */
                Load.prototype.partFrom = 0;

                /**
                 * Load partUntil.
                 * @member {number} partUntil
                 * @memberof carillon.agent.v1.Load
                 * @instance
                 */
                Load.prototype.partUntil = 0;

                /**
                 * Load parts.
                 * @member {number} parts
                 * @memberof carillon.agent.v1.Load
                 * @instance
                 */
                Load.prototype.parts = 0;

                /**
                 * Load callsEach.
                 * @member {number} callsEach
                 * @memberof carillon.agent.v1.Load
                 * @instance
                 */
                Load.prototype.callsEach = 0;

                /**
                 * Load runEndpoints.
                 * @member {number} runEndpoints
                 * @memberof carillon.agent.v1.Load
                 * @instance
                 */
                Load.prototype.runEndpoints = 0;

                /**
                 * Encodes the specified Load message. Does not implicitly {@link carillon.agent.v1.Load.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Load
                 * @static
                 * @param {carillon.agent.v1.Load.$Properties} message Load message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Load.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.shape != null && $Object.hasOwnProperty.call(message, "shape") && message.shape !== "")
                        writer.uint32(/* id 1, wireType 2 =*/10).string(message.shape);
                    if (message.steps != null && message.steps.length)
                        for (let i = 0; i < message.steps.length; ++i)
                            $root.carillon.agent.v1.LoadStep.encode(message.steps[i], writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
                    if (message.calls != null && $Object.hasOwnProperty.call(message, "calls") && message.calls !== 0)
                        writer.uint32(/* id 3, wireType 0 =*/24).uint32(message.calls);
                    if (message.seed != null && $Object.hasOwnProperty.call(message, "seed") && message.seed !== 0)
                        writer.uint32(/* id 4, wireType 0 =*/32).uint32(message.seed);
                    if (message.partFrom != null && $Object.hasOwnProperty.call(message, "partFrom") && message.partFrom !== 0)
                        writer.uint32(/* id 5, wireType 0 =*/40).uint32(message.partFrom);
                    if (message.partUntil != null && $Object.hasOwnProperty.call(message, "partUntil") && message.partUntil !== 0)
                        writer.uint32(/* id 6, wireType 0 =*/48).uint32(message.partUntil);
                    if (message.parts != null && $Object.hasOwnProperty.call(message, "parts") && message.parts !== 0)
                        writer.uint32(/* id 7, wireType 0 =*/56).uint32(message.parts);
                    if (message.callsEach != null && $Object.hasOwnProperty.call(message, "callsEach") && message.callsEach !== 0)
                        writer.uint32(/* id 8, wireType 0 =*/64).uint32(message.callsEach);
                    if (message.runEndpoints != null && $Object.hasOwnProperty.call(message, "runEndpoints") && message.runEndpoints !== 0)
                        writer.uint32(/* id 9, wireType 0 =*/72).uint32(message.runEndpoints);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Load message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Load
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Load & carillon.agent.v1.Load.$Shape} Load
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Load.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Load();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.shape = value;
                                else
                                    delete message.shape;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.steps && message.steps.length))
                                    message.steps = [];
                                message.steps.push($root.carillon.agent.v1.LoadStep.decode(reader, reader.size(), $undefined, _depth + 1));
                                continue;
                            }
                        case 3: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.calls = value;
                                else
                                    delete message.calls;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.seed = value;
                                else
                                    delete message.seed;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.partFrom = value;
                                else
                                    delete message.partFrom;
                                continue;
                            }
                        case 6: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.partUntil = value;
                                else
                                    delete message.partUntil;
                                continue;
                            }
                        case 7: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.parts = value;
                                else
                                    delete message.parts;
                                continue;
                            }
                        case 8: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.callsEach = value;
                                else
                                    delete message.callsEach;
                                continue;
                            }
                        case 9: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.runEndpoints = value;
                                else
                                    delete message.runEndpoints;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Load;
            })();

            v1.LoadStep = (function() {

                /**
                 * Properties of a LoadStep.
                 * @typedef {Object} carillon.agent.v1.LoadStep.$Properties
                 * @property {number|null} [seconds] LoadStep seconds
                 * @property {number|null} [callsPerSecond] LoadStep callsPerSecond
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a LoadStep.
                 * @memberof carillon.agent.v1
                 * @interface ILoadStep
                 * @augments carillon.agent.v1.LoadStep.$Properties
                 * @deprecated Use carillon.agent.v1.LoadStep.$Properties instead.
                 */

                /**
                 * Shape of a LoadStep.
                 * @typedef {carillon.agent.v1.LoadStep.$Properties} carillon.agent.v1.LoadStep.$Shape
                 */

                /**
                 * Constructs a new LoadStep.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a LoadStep.
                 * @constructor
                 * @param {carillon.agent.v1.LoadStep.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const LoadStep = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * LoadStep seconds.
                 * @member {number} seconds
                 * @memberof carillon.agent.v1.LoadStep
                 * @instance
                 */
                LoadStep.prototype.seconds = 0;

                /**
                 * LoadStep callsPerSecond.
                 * @member {number} callsPerSecond
                 * @memberof carillon.agent.v1.LoadStep
                 * @instance
                 */
                LoadStep.prototype.callsPerSecond = 0;

                /**
                 * Encodes the specified LoadStep message. Does not implicitly {@link carillon.agent.v1.LoadStep.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.LoadStep
                 * @static
                 * @param {carillon.agent.v1.LoadStep.$Properties} message LoadStep message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                LoadStep.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.seconds != null && $Object.hasOwnProperty.call(message, "seconds") && !$Object.is(message.seconds, 0))
                        writer.uint32(/* id 1, wireType 1 =*/9).double(message.seconds);
                    if (message.callsPerSecond != null && $Object.hasOwnProperty.call(message, "callsPerSecond") && !$Object.is(message.callsPerSecond, 0))
                        writer.uint32(/* id 2, wireType 1 =*/17).double(message.callsPerSecond);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a LoadStep message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.LoadStep
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.LoadStep & carillon.agent.v1.LoadStep.$Shape} LoadStep
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                LoadStep.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.LoadStep();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.seconds = value;
                                else
                                    delete message.seconds;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.callsPerSecond = value;
                                else
                                    delete message.callsPerSecond;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return LoadStep;
            })();

            v1.RtpTrace = (function() {

                /**
                 * Properties of a RtpTrace.
                 * @typedef {Object} carillon.agent.v1.RtpTrace.$Properties
                 * @property {Array.<number>|null} [endpoint] RtpTrace endpoint
                 * @property {number|null} [packets] RtpTrace packets
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a RtpTrace.
                 * @memberof carillon.agent.v1
                 * @interface IRtpTrace
                 * @augments carillon.agent.v1.RtpTrace.$Properties
                 * @deprecated Use carillon.agent.v1.RtpTrace.$Properties instead.
                 */

                /**
                 * Shape of a RtpTrace.
                 * @typedef {carillon.agent.v1.RtpTrace.$Properties} carillon.agent.v1.RtpTrace.$Shape
                 */

                /**
                 * Constructs a new RtpTrace.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a RtpTrace.
                 * @constructor
                 * @param {carillon.agent.v1.RtpTrace.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const RtpTrace = function (properties) {
                    this.endpoint = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * RtpTrace endpoint.
                 * @member {Array.<number>} endpoint
                 * @memberof carillon.agent.v1.RtpTrace
                 * @instance
                 */
                RtpTrace.prototype.endpoint = $util.emptyArray;

                /**
                 * RtpTrace packets.
                 * @member {number} packets
                 * @memberof carillon.agent.v1.RtpTrace
                 * @instance
                 */
                RtpTrace.prototype.packets = 0;

                /**
                 * Encodes the specified RtpTrace message. Does not implicitly {@link carillon.agent.v1.RtpTrace.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.RtpTrace
                 * @static
                 * @param {carillon.agent.v1.RtpTrace.$Properties} message RtpTrace message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                RtpTrace.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.endpoint != null && message.endpoint.length)
                        writer.uint32(/* id 1, wireType 2 =*/10).uint32s(message.endpoint);
                    if (message.packets != null && $Object.hasOwnProperty.call(message, "packets") && message.packets !== 0)
                        writer.uint32(/* id 2, wireType 0 =*/16).uint32(message.packets);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a RtpTrace message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.RtpTrace
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.RtpTrace & carillon.agent.v1.RtpTrace.$Shape} RtpTrace
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                RtpTrace.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.RtpTrace();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType === 2) {
                                    if (!(message.endpoint && message.endpoint.length))
                                        message.endpoint = [];
                                    reader.uint32s(message.endpoint);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.endpoint && message.endpoint.length))
                                    message.endpoint = [];
                                message.endpoint.push(reader.uint32());
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.packets = value;
                                else
                                    delete message.packets;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return RtpTrace;
            })();

            v1.Group = (function() {

                /**
                 * Properties of a Group.
                 * @typedef {Object} carillon.agent.v1.Group.$Properties
                 * @property {string|null} [registrarUri] Group registrarUri
                 * @property {string|null} [nextHop] Group nextHop
                 * @property {string|null} [route] Group route
                 * @property {string|null} [domain] Group domain
                 * @property {boolean|null} [register] Group register
                 * @property {number|null} [registerExpiresSeconds] Group registerExpiresSeconds
                 * @property {Array.<string>|null} [audioCodecs] Group audioCodecs
                 * @property {number|null} [packetMs] Group packetMs
                 * @property {string|null} [audioSource] Group audioSource
                 * @property {string|null} [audioDirection] Group audioDirection
                 * @property {boolean|null} [rtcpMux] Group rtcpMux
                 * @property {boolean|null} [takesAnyCall] Group takesAnyCall
                 * @property {number|null} [audioDscp] Group audioDscp
                 * @property {Array.<string>|null} [videoCodecs] Group videoCodecs
                 * @property {string|null} [videoSource] Group videoSource
                 * @property {string|null} [videoDirection] Group videoDirection
                 * @property {number|null} [videoDscp] Group videoDscp
                 * @property {string|null} [encryption] Group encryption
                 * @property {boolean|null} [telephoneEvent] Group telephoneEvent
                 * @property {carillon.agent.v1.Dtmf.$Properties|null} [dtmf] Group dtmf
                 * @property {carillon.agent.v1.Impairment.$Properties|null} [impairment] Group impairment
                 * @property {Array.<carillon.agent.v1.Action.$Properties>|null} [actions] Group actions
                 * @property {carillon.agent.v1.Signalling.$Properties|null} [signalling] Group signalling
                 * @property {boolean|null} [audioDeferred] Group audioDeferred
                 * @property {boolean|null} [videoDeferred] Group videoDeferred
                 * @property {string|null} [protocol] Group protocol
                 * @property {carillon.agent.v1.Tls.$Properties|null} [tls] Group tls
                 * @property {Array.<string>|null} [toleratedFindings] Group toleratedFindings
                 * @property {boolean|null} [farEndHangsUp] Group farEndHangsUp
                 * @property {boolean|null} [silenceExpected] Group silenceExpected
                 * @property {string|null} [displayName] Group displayName
                 * @property {boolean|null} [withoutMedia] Group withoutMedia
                 * @property {string|null} [sdp] Group sdp
                 * @property {string|null} [ice] Group ice
                 * @property {string|null} [feedbackProfile] Group feedbackProfile
                 * @property {string|null} [webSocketPath] Group webSocketPath
                 * @property {string|null} [mode] Group mode
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Group.
                 * @memberof carillon.agent.v1
                 * @interface IGroup
                 * @augments carillon.agent.v1.Group.$Properties
                 * @deprecated Use carillon.agent.v1.Group.$Properties instead.
                 */

                /**
                 * Shape of a Group.
                 * @typedef {carillon.agent.v1.Group.$Properties} carillon.agent.v1.Group.$Shape
                 */

                /**
                 * Constructs a new Group.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Group.
                 * @constructor
                 * @param {carillon.agent.v1.Group.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Group = function (properties) {
                    this.audioCodecs = [];
                    this.videoCodecs = [];
                    this.actions = [];
                    this.toleratedFindings = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Group registrarUri.
                 * @member {string} registrarUri
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.registrarUri = "";

                /**
                 * Group nextHop.
                 * @member {string} nextHop
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.nextHop = "";

                /**
                 * Group route.
                 * @member {string} route
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.route = "";

                /**
                 * Group domain.
                 * @member {string} domain
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.domain = "";

                /**
                 * Group register.
                 * @member {boolean} register
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.register = false;

                /**
                 * Group registerExpiresSeconds.
                 * @member {number} registerExpiresSeconds
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.registerExpiresSeconds = 0;

                /**
                 * Group audioCodecs.
                 * @member {Array.<string>} audioCodecs
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.audioCodecs = $util.emptyArray;

                /**
                 * Group packetMs.
                 * @member {number} packetMs
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.packetMs = 0;

                /**
                 * Group audioSource.
                 * @member {string} audioSource
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.audioSource = "";

                /**
                 * Group audioDirection.
                 * @member {string} audioDirection
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.audioDirection = "";

                /**
                 * Group rtcpMux.
                 * @member {boolean} rtcpMux
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.rtcpMux = false;

                /**
                 * Group takesAnyCall.
                 * @member {boolean} takesAnyCall
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.takesAnyCall = false;

                /**
                 * Group audioDscp.
                 * @member {number} audioDscp
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.audioDscp = 0;

                /**
                 * Group videoCodecs.
                 * @member {Array.<string>} videoCodecs
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.videoCodecs = $util.emptyArray;

                /**
                 * Group videoSource.
                 * @member {string} videoSource
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.videoSource = "";

                /**
                 * Group videoDirection.
                 * @member {string} videoDirection
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.videoDirection = "";

                /**
                 * Group videoDscp.
                 * @member {number} videoDscp
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.videoDscp = 0;

                /**
                 * Group encryption.
                 * @member {string} encryption
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.encryption = "";

                /**
                 * Group telephoneEvent.
                 * @member {boolean} telephoneEvent
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.telephoneEvent = false;

                /**
                 * Group dtmf.
                 * @member {carillon.agent.v1.Dtmf.$Properties|null|undefined} dtmf
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.dtmf = null;

                /**
                 * Group impairment.
                 * @member {carillon.agent.v1.Impairment.$Properties|null|undefined} impairment
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.impairment = null;

                /**
                 * Group actions.
                 * @member {Array.<carillon.agent.v1.Action.$Properties>} actions
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.actions = $util.emptyArray;

                /**
                 * Group signalling.
                 * @member {carillon.agent.v1.Signalling.$Properties|null|undefined} signalling
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.signalling = null;

                /**
                 * Group audioDeferred.
                 * @member {boolean} audioDeferred
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.audioDeferred = false;

                /**
                 * Group videoDeferred.
                 * @member {boolean} videoDeferred
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.videoDeferred = false;

                /**
                 * Group protocol.
                 * @member {string} protocol
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.protocol = "";

                /**
                 * Group tls.
                 * @member {carillon.agent.v1.Tls.$Properties|null|undefined} tls
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.tls = null;

                /**
                 * Group toleratedFindings.
                 * @member {Array.<string>} toleratedFindings
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.toleratedFindings = $util.emptyArray;

                /**
                 * Group farEndHangsUp.
                 * @member {boolean} farEndHangsUp
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.farEndHangsUp = false;

                /**
                 * Group silenceExpected.
                 * @member {boolean} silenceExpected
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.silenceExpected = false;

                /**
                 * Group displayName.
                 * @member {string} displayName
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.displayName = "";

                /**
                 * Group withoutMedia.
                 * @member {boolean} withoutMedia
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.withoutMedia = false;

                /**
                 * Group sdp.
                 * @member {string} sdp
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.sdp = "";

                /**
                 * Group ice.
                 * @member {string} ice
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.ice = "";

                /**
                 * Group feedbackProfile.
                 * @member {string} feedbackProfile
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.feedbackProfile = "";

                /**
                 * Group webSocketPath.
                 * @member {string} webSocketPath
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.webSocketPath = "";

                /**
                 * Group mode.
                 * @member {string} mode
                 * @memberof carillon.agent.v1.Group
                 * @instance
                 */
                Group.prototype.mode = "";

                /**
                 * Encodes the specified Group message. Does not implicitly {@link carillon.agent.v1.Group.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Group
                 * @static
                 * @param {carillon.agent.v1.Group.$Properties} message Group message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Group.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.registrarUri != null && $Object.hasOwnProperty.call(message, "registrarUri") && message.registrarUri !== "")
                        writer.uint32(/* id 1, wireType 2 =*/10).string(message.registrarUri);
                    if (message.nextHop != null && $Object.hasOwnProperty.call(message, "nextHop") && message.nextHop !== "")
                        writer.uint32(/* id 2, wireType 2 =*/18).string(message.nextHop);
                    if (message.route != null && $Object.hasOwnProperty.call(message, "route") && message.route !== "")
                        writer.uint32(/* id 3, wireType 2 =*/26).string(message.route);
                    if (message.domain != null && $Object.hasOwnProperty.call(message, "domain") && message.domain !== "")
                        writer.uint32(/* id 4, wireType 2 =*/34).string(message.domain);
                    if (message.register != null && $Object.hasOwnProperty.call(message, "register") && message.register !== false)
                        writer.uint32(/* id 5, wireType 0 =*/40).bool(message.register);
                    if (message.registerExpiresSeconds != null && $Object.hasOwnProperty.call(message, "registerExpiresSeconds") && message.registerExpiresSeconds !== 0)
                        writer.uint32(/* id 6, wireType 0 =*/48).uint32(message.registerExpiresSeconds);
                    if (message.audioCodecs != null && message.audioCodecs.length)
                        for (let i = 0; i < message.audioCodecs.length; ++i)
                            writer.uint32(/* id 7, wireType 2 =*/58).string(message.audioCodecs[i]);
                    if (message.packetMs != null && $Object.hasOwnProperty.call(message, "packetMs") && message.packetMs !== 0)
                        writer.uint32(/* id 8, wireType 0 =*/64).uint32(message.packetMs);
                    if (message.audioSource != null && $Object.hasOwnProperty.call(message, "audioSource") && message.audioSource !== "")
                        writer.uint32(/* id 9, wireType 2 =*/74).string(message.audioSource);
                    if (message.audioDirection != null && $Object.hasOwnProperty.call(message, "audioDirection") && message.audioDirection !== "")
                        writer.uint32(/* id 10, wireType 2 =*/82).string(message.audioDirection);
                    if (message.rtcpMux != null && $Object.hasOwnProperty.call(message, "rtcpMux") && message.rtcpMux !== false)
                        writer.uint32(/* id 11, wireType 0 =*/88).bool(message.rtcpMux);
                    if (message.takesAnyCall != null && $Object.hasOwnProperty.call(message, "takesAnyCall") && message.takesAnyCall !== false)
                        writer.uint32(/* id 12, wireType 0 =*/96).bool(message.takesAnyCall);
                    if (message.audioDscp != null && $Object.hasOwnProperty.call(message, "audioDscp") && message.audioDscp !== 0)
                        writer.uint32(/* id 13, wireType 0 =*/104).uint32(message.audioDscp);
                    if (message.videoCodecs != null && message.videoCodecs.length)
                        for (let i = 0; i < message.videoCodecs.length; ++i)
                            writer.uint32(/* id 14, wireType 2 =*/114).string(message.videoCodecs[i]);
                    if (message.videoSource != null && $Object.hasOwnProperty.call(message, "videoSource") && message.videoSource !== "")
                        writer.uint32(/* id 15, wireType 2 =*/122).string(message.videoSource);
                    if (message.videoDirection != null && $Object.hasOwnProperty.call(message, "videoDirection") && message.videoDirection !== "")
                        writer.uint32(/* id 16, wireType 2 =*/130).string(message.videoDirection);
                    if (message.videoDscp != null && $Object.hasOwnProperty.call(message, "videoDscp") && message.videoDscp !== 0)
                        writer.uint32(/* id 17, wireType 0 =*/136).uint32(message.videoDscp);
                    if (message.encryption != null && $Object.hasOwnProperty.call(message, "encryption") && message.encryption !== "")
                        writer.uint32(/* id 18, wireType 2 =*/146).string(message.encryption);
                    if (message.telephoneEvent != null && $Object.hasOwnProperty.call(message, "telephoneEvent") && message.telephoneEvent !== false)
                        writer.uint32(/* id 19, wireType 0 =*/152).bool(message.telephoneEvent);
                    if (message.dtmf != null && $Object.hasOwnProperty.call(message, "dtmf"))
                        $root.carillon.agent.v1.Dtmf.encode(message.dtmf, writer.uint32(/* id 20, wireType 2 =*/162).fork(), _depth + 1).ldelim();
                    if (message.impairment != null && $Object.hasOwnProperty.call(message, "impairment"))
                        $root.carillon.agent.v1.Impairment.encode(message.impairment, writer.uint32(/* id 21, wireType 2 =*/170).fork(), _depth + 1).ldelim();
                    if (message.actions != null && message.actions.length)
                        for (let i = 0; i < message.actions.length; ++i)
                            $root.carillon.agent.v1.Action.encode(message.actions[i], writer.uint32(/* id 30, wireType 2 =*/242).fork(), _depth + 1).ldelim();
                    if (message.signalling != null && $Object.hasOwnProperty.call(message, "signalling"))
                        $root.carillon.agent.v1.Signalling.encode(message.signalling, writer.uint32(/* id 31, wireType 2 =*/250).fork(), _depth + 1).ldelim();
                    if (message.audioDeferred != null && $Object.hasOwnProperty.call(message, "audioDeferred") && message.audioDeferred !== false)
                        writer.uint32(/* id 32, wireType 0 =*/256).bool(message.audioDeferred);
                    if (message.videoDeferred != null && $Object.hasOwnProperty.call(message, "videoDeferred") && message.videoDeferred !== false)
                        writer.uint32(/* id 33, wireType 0 =*/264).bool(message.videoDeferred);
                    if (message.protocol != null && $Object.hasOwnProperty.call(message, "protocol") && message.protocol !== "")
                        writer.uint32(/* id 34, wireType 2 =*/274).string(message.protocol);
                    if (message.tls != null && $Object.hasOwnProperty.call(message, "tls"))
                        $root.carillon.agent.v1.Tls.encode(message.tls, writer.uint32(/* id 35, wireType 2 =*/282).fork(), _depth + 1).ldelim();
                    if (message.mode != null && $Object.hasOwnProperty.call(message, "mode") && message.mode !== "")
                        writer.uint32(/* id 36, wireType 2 =*/290).string(message.mode);
                    if (message.toleratedFindings != null && message.toleratedFindings.length)
                        for (let i = 0; i < message.toleratedFindings.length; ++i)
                            writer.uint32(/* id 37, wireType 2 =*/298).string(message.toleratedFindings[i]);
                    if (message.farEndHangsUp != null && $Object.hasOwnProperty.call(message, "farEndHangsUp") && message.farEndHangsUp !== false)
                        writer.uint32(/* id 38, wireType 0 =*/304).bool(message.farEndHangsUp);
                    if (message.silenceExpected != null && $Object.hasOwnProperty.call(message, "silenceExpected") && message.silenceExpected !== false)
                        writer.uint32(/* id 39, wireType 0 =*/312).bool(message.silenceExpected);
                    if (message.displayName != null && $Object.hasOwnProperty.call(message, "displayName") && message.displayName !== "")
                        writer.uint32(/* id 40, wireType 2 =*/322).string(message.displayName);
                    if (message.withoutMedia != null && $Object.hasOwnProperty.call(message, "withoutMedia") && message.withoutMedia !== false)
                        writer.uint32(/* id 41, wireType 0 =*/328).bool(message.withoutMedia);
                    if (message.sdp != null && $Object.hasOwnProperty.call(message, "sdp") && message.sdp !== "")
                        writer.uint32(/* id 42, wireType 2 =*/338).string(message.sdp);
                    if (message.feedbackProfile != null && $Object.hasOwnProperty.call(message, "feedbackProfile") && message.feedbackProfile !== "")
                        writer.uint32(/* id 50, wireType 2 =*/402).string(message.feedbackProfile);
                    if (message.ice != null && $Object.hasOwnProperty.call(message, "ice") && message.ice !== "")
                        writer.uint32(/* id 51, wireType 2 =*/410).string(message.ice);
                    if (message.webSocketPath != null && $Object.hasOwnProperty.call(message, "webSocketPath") && message.webSocketPath !== "")
                        writer.uint32(/* id 58, wireType 2 =*/466).string(message.webSocketPath);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Group message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Group
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Group & carillon.agent.v1.Group.$Shape} Group
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Group.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Group();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.registrarUri = value;
                                else
                                    delete message.registrarUri;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.nextHop = value;
                                else
                                    delete message.nextHop;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.route = value;
                                else
                                    delete message.route;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.domain = value;
                                else
                                    delete message.domain;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.register = value;
                                else
                                    delete message.register;
                                continue;
                            }
                        case 6: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.registerExpiresSeconds = value;
                                else
                                    delete message.registerExpiresSeconds;
                                continue;
                            }
                        case 7: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.audioCodecs && message.audioCodecs.length))
                                    message.audioCodecs = [];
                                message.audioCodecs.push(reader.stringVerify());
                                continue;
                            }
                        case 8: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.packetMs = value;
                                else
                                    delete message.packetMs;
                                continue;
                            }
                        case 9: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.audioSource = value;
                                else
                                    delete message.audioSource;
                                continue;
                            }
                        case 10: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.audioDirection = value;
                                else
                                    delete message.audioDirection;
                                continue;
                            }
                        case 11: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.rtcpMux = value;
                                else
                                    delete message.rtcpMux;
                                continue;
                            }
                        case 12: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.takesAnyCall = value;
                                else
                                    delete message.takesAnyCall;
                                continue;
                            }
                        case 13: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.audioDscp = value;
                                else
                                    delete message.audioDscp;
                                continue;
                            }
                        case 14: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.videoCodecs && message.videoCodecs.length))
                                    message.videoCodecs = [];
                                message.videoCodecs.push(reader.stringVerify());
                                continue;
                            }
                        case 15: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.videoSource = value;
                                else
                                    delete message.videoSource;
                                continue;
                            }
                        case 16: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.videoDirection = value;
                                else
                                    delete message.videoDirection;
                                continue;
                            }
                        case 17: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.videoDscp = value;
                                else
                                    delete message.videoDscp;
                                continue;
                            }
                        case 18: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.encryption = value;
                                else
                                    delete message.encryption;
                                continue;
                            }
                        case 19: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.telephoneEvent = value;
                                else
                                    delete message.telephoneEvent;
                                continue;
                            }
                        case 20: {
                                if (wireType !== 2)
                                    break;
                                message.dtmf = $root.carillon.agent.v1.Dtmf.decode(reader, reader.size(), $undefined, _depth + 1, message.dtmf);
                                continue;
                            }
                        case 21: {
                                if (wireType !== 2)
                                    break;
                                message.impairment = $root.carillon.agent.v1.Impairment.decode(reader, reader.size(), $undefined, _depth + 1, message.impairment);
                                continue;
                            }
                        case 30: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.actions && message.actions.length))
                                    message.actions = [];
                                message.actions.push($root.carillon.agent.v1.Action.decode(reader, reader.size(), $undefined, _depth + 1));
                                continue;
                            }
                        case 31: {
                                if (wireType !== 2)
                                    break;
                                message.signalling = $root.carillon.agent.v1.Signalling.decode(reader, reader.size(), $undefined, _depth + 1, message.signalling);
                                continue;
                            }
                        case 32: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.audioDeferred = value;
                                else
                                    delete message.audioDeferred;
                                continue;
                            }
                        case 33: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.videoDeferred = value;
                                else
                                    delete message.videoDeferred;
                                continue;
                            }
                        case 34: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.protocol = value;
                                else
                                    delete message.protocol;
                                continue;
                            }
                        case 35: {
                                if (wireType !== 2)
                                    break;
                                message.tls = $root.carillon.agent.v1.Tls.decode(reader, reader.size(), $undefined, _depth + 1, message.tls);
                                continue;
                            }
                        case 37: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.toleratedFindings && message.toleratedFindings.length))
                                    message.toleratedFindings = [];
                                message.toleratedFindings.push(reader.stringVerify());
                                continue;
                            }
                        case 38: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.farEndHangsUp = value;
                                else
                                    delete message.farEndHangsUp;
                                continue;
                            }
                        case 39: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.silenceExpected = value;
                                else
                                    delete message.silenceExpected;
                                continue;
                            }
                        case 40: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.displayName = value;
                                else
                                    delete message.displayName;
                                continue;
                            }
                        case 41: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.withoutMedia = value;
                                else
                                    delete message.withoutMedia;
                                continue;
                            }
                        case 42: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.sdp = value;
                                else
                                    delete message.sdp;
                                continue;
                            }
                        case 51: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.ice = value;
                                else
                                    delete message.ice;
                                continue;
                            }
                        case 50: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.feedbackProfile = value;
                                else
                                    delete message.feedbackProfile;
                                continue;
                            }
                        case 58: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.webSocketPath = value;
                                else
                                    delete message.webSocketPath;
                                continue;
                            }
                        case 36: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.mode = value;
                                else
                                    delete message.mode;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Group;
            })();

            v1.Tls = (function() {

                /**
                 * Properties of a Tls.
                 * @typedef {Object} carillon.agent.v1.Tls.$Properties
                 * @property {string|null} [verify] Tls verify
                 * @property {string|null} [ca] Tls ca
                 * @property {string|null} [certificate] Tls certificate
                 * @property {string|null} [key] Tls key
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Tls.
                 * @memberof carillon.agent.v1
                 * @interface ITls
                 * @augments carillon.agent.v1.Tls.$Properties
                 * @deprecated Use carillon.agent.v1.Tls.$Properties instead.
                 */

                /**
                 * Shape of a Tls.
                 * @typedef {carillon.agent.v1.Tls.$Properties} carillon.agent.v1.Tls.$Shape
                 */

                /**
                 * Constructs a new Tls.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Tls.
                 * @constructor
                 * @param {carillon.agent.v1.Tls.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Tls = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Tls verify.
                 * @member {string} verify
                 * @memberof carillon.agent.v1.Tls
                 * @instance
                 */
                Tls.prototype.verify = "";

                /**
                 * Tls ca.
                 * @member {string} ca
                 * @memberof carillon.agent.v1.Tls
                 * @instance
                 */
                Tls.prototype.ca = "";

                /**
                 * Tls certificate.
                 * @member {string} certificate
                 * @memberof carillon.agent.v1.Tls
                 * @instance
                 */
                Tls.prototype.certificate = "";

                /**
                 * Tls key.
                 * @member {string} key
                 * @memberof carillon.agent.v1.Tls
                 * @instance
                 */
                Tls.prototype.key = "";

                /**
                 * Encodes the specified Tls message. Does not implicitly {@link carillon.agent.v1.Tls.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Tls
                 * @static
                 * @param {carillon.agent.v1.Tls.$Properties} message Tls message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Tls.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.verify != null && $Object.hasOwnProperty.call(message, "verify") && message.verify !== "")
                        writer.uint32(/* id 1, wireType 2 =*/10).string(message.verify);
                    if (message.ca != null && $Object.hasOwnProperty.call(message, "ca") && message.ca !== "")
                        writer.uint32(/* id 2, wireType 2 =*/18).string(message.ca);
                    if (message.certificate != null && $Object.hasOwnProperty.call(message, "certificate") && message.certificate !== "")
                        writer.uint32(/* id 3, wireType 2 =*/26).string(message.certificate);
                    if (message.key != null && $Object.hasOwnProperty.call(message, "key") && message.key !== "")
                        writer.uint32(/* id 4, wireType 2 =*/34).string(message.key);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Tls message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Tls
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Tls & carillon.agent.v1.Tls.$Shape} Tls
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Tls.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Tls();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.verify = value;
                                else
                                    delete message.verify;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.ca = value;
                                else
                                    delete message.ca;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.certificate = value;
                                else
                                    delete message.certificate;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.key = value;
                                else
                                    delete message.key;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Tls;
            })();

            v1.Dtmf = (function() {

                /**
                 * Properties of a Dtmf.
                 * @typedef {Object} carillon.agent.v1.Dtmf.$Properties
                 * @property {string|null} [digits] Dtmf digits
                 * @property {number|null} [onMs] Dtmf onMs
                 * @property {number|null} [offMs] Dtmf offMs
                 * @property {number|null} [afterMs] Dtmf afterMs
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Dtmf.
                 * @memberof carillon.agent.v1
                 * @interface IDtmf
                 * @augments carillon.agent.v1.Dtmf.$Properties
                 * @deprecated Use carillon.agent.v1.Dtmf.$Properties instead.
                 */

                /**
                 * Shape of a Dtmf.
                 * @typedef {carillon.agent.v1.Dtmf.$Properties} carillon.agent.v1.Dtmf.$Shape
                 */

                /**
                 * Constructs a new Dtmf.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Dtmf.
                 * @constructor
                 * @param {carillon.agent.v1.Dtmf.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Dtmf = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Dtmf digits.
                 * @member {string} digits
                 * @memberof carillon.agent.v1.Dtmf
                 * @instance
                 */
                Dtmf.prototype.digits = "";

                /**
                 * Dtmf onMs.
                 * @member {number} onMs
                 * @memberof carillon.agent.v1.Dtmf
                 * @instance
                 */
                Dtmf.prototype.onMs = 0;

                /**
                 * Dtmf offMs.
                 * @member {number} offMs
                 * @memberof carillon.agent.v1.Dtmf
                 * @instance
                 */
                Dtmf.prototype.offMs = 0;

                /**
                 * Dtmf afterMs.
                 * @member {number} afterMs
                 * @memberof carillon.agent.v1.Dtmf
                 * @instance
                 */
                Dtmf.prototype.afterMs = 0;

                /**
                 * Encodes the specified Dtmf message. Does not implicitly {@link carillon.agent.v1.Dtmf.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Dtmf
                 * @static
                 * @param {carillon.agent.v1.Dtmf.$Properties} message Dtmf message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Dtmf.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.digits != null && $Object.hasOwnProperty.call(message, "digits") && message.digits !== "")
                        writer.uint32(/* id 1, wireType 2 =*/10).string(message.digits);
                    if (message.onMs != null && $Object.hasOwnProperty.call(message, "onMs") && message.onMs !== 0)
                        writer.uint32(/* id 2, wireType 0 =*/16).uint32(message.onMs);
                    if (message.offMs != null && $Object.hasOwnProperty.call(message, "offMs") && message.offMs !== 0)
                        writer.uint32(/* id 3, wireType 0 =*/24).uint32(message.offMs);
                    if (message.afterMs != null && $Object.hasOwnProperty.call(message, "afterMs") && message.afterMs !== 0)
                        writer.uint32(/* id 4, wireType 0 =*/32).uint32(message.afterMs);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Dtmf message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Dtmf
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Dtmf & carillon.agent.v1.Dtmf.$Shape} Dtmf
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Dtmf.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Dtmf();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.digits = value;
                                else
                                    delete message.digits;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.onMs = value;
                                else
                                    delete message.onMs;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.offMs = value;
                                else
                                    delete message.offMs;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.afterMs = value;
                                else
                                    delete message.afterMs;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Dtmf;
            })();

            v1.Action = (function() {

                /**
                 * Properties of an Action.
                 * @typedef {Object} carillon.agent.v1.Action.$Properties
                 * @property {string|null} [on] Action on
                 * @property {number|null} [afterMs] Action afterMs
                 * @property {string|null} [heard] Action heard
                 * @property {string|null} ["do"] Action do
                 * @property {string|null} [digits] Action digits
                 * @property {string|null} [by] Action by
                 * @property {string|null} [track] Action track
                 * @property {string|null} [target] Action target
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of an Action.
                 * @memberof carillon.agent.v1
                 * @interface IAction
                 * @augments carillon.agent.v1.Action.$Properties
                 * @deprecated Use carillon.agent.v1.Action.$Properties instead.
                 */

                /**
                 * Shape of an Action.
                 * @typedef {carillon.agent.v1.Action.$Properties} carillon.agent.v1.Action.$Shape
                 */

                /**
                 * Constructs a new Action.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents an Action.
                 * @constructor
                 * @param {carillon.agent.v1.Action.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Action = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Action on.
                 * @member {string} on
                 * @memberof carillon.agent.v1.Action
                 * @instance
                 */
                Action.prototype.on = "";

                /**
                 * Action afterMs.
                 * @member {number} afterMs
                 * @memberof carillon.agent.v1.Action
                 * @instance
                 */
                Action.prototype.afterMs = 0;

                /**
                 * Action heard.
                 * @member {string} heard
                 * @memberof carillon.agent.v1.Action
                 * @instance
                 */
                Action.prototype.heard = "";

                /**
                 * Action do.
                 * @member {string} do
                 * @memberof carillon.agent.v1.Action
                 * @instance
                 */
                Action.prototype["do"] = "";

                /**
                 * Action digits.
                 * @member {string} digits
                 * @memberof carillon.agent.v1.Action
                 * @instance
                 */
                Action.prototype.digits = "";

                /**
                 * Action by.
                 * @member {string} by
                 * @memberof carillon.agent.v1.Action
                 * @instance
                 */
                Action.prototype.by = "";

                /**
                 * Action track.
                 * @member {string} track
                 * @memberof carillon.agent.v1.Action
                 * @instance
                 */
                Action.prototype.track = "";

                /**
                 * Action target.
                 * @member {string} target
                 * @memberof carillon.agent.v1.Action
                 * @instance
                 */
                Action.prototype.target = "";

                /**
                 * Encodes the specified Action message. Does not implicitly {@link carillon.agent.v1.Action.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Action
                 * @static
                 * @param {carillon.agent.v1.Action.$Properties} message Action message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Action.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.on != null && $Object.hasOwnProperty.call(message, "on") && message.on !== "")
                        writer.uint32(/* id 1, wireType 2 =*/10).string(message.on);
                    if (message.afterMs != null && $Object.hasOwnProperty.call(message, "afterMs") && message.afterMs !== 0)
                        writer.uint32(/* id 2, wireType 0 =*/16).uint32(message.afterMs);
                    if (message.heard != null && $Object.hasOwnProperty.call(message, "heard") && message.heard !== "")
                        writer.uint32(/* id 3, wireType 2 =*/26).string(message.heard);
                    if (message["do"] != null && $Object.hasOwnProperty.call(message, "do") && message["do"] !== "")
                        writer.uint32(/* id 4, wireType 2 =*/34).string(message["do"]);
                    if (message.digits != null && $Object.hasOwnProperty.call(message, "digits") && message.digits !== "")
                        writer.uint32(/* id 5, wireType 2 =*/42).string(message.digits);
                    if (message.by != null && $Object.hasOwnProperty.call(message, "by") && message.by !== "")
                        writer.uint32(/* id 6, wireType 2 =*/50).string(message.by);
                    if (message.track != null && $Object.hasOwnProperty.call(message, "track") && message.track !== "")
                        writer.uint32(/* id 7, wireType 2 =*/58).string(message.track);
                    if (message.target != null && $Object.hasOwnProperty.call(message, "target") && message.target !== "")
                        writer.uint32(/* id 8, wireType 2 =*/66).string(message.target);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes an Action message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Action
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Action & carillon.agent.v1.Action.$Shape} Action
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Action.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Action();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.on = value;
                                else
                                    delete message.on;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.afterMs = value;
                                else
                                    delete message.afterMs;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.heard = value;
                                else
                                    delete message.heard;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message["do"] = value;
                                else
                                    delete message["do"];
                                continue;
                            }
                        case 5: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.digits = value;
                                else
                                    delete message.digits;
                                continue;
                            }
                        case 6: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.by = value;
                                else
                                    delete message.by;
                                continue;
                            }
                        case 7: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.track = value;
                                else
                                    delete message.track;
                                continue;
                            }
                        case 8: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.target = value;
                                else
                                    delete message.target;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Action;
            })();

            v1.Signalling = (function() {

                /**
                 * Properties of a Signalling.
                 * @typedef {Object} carillon.agent.v1.Signalling.$Properties
                 * @property {string|null} [reliableProvisional] Signalling reliableProvisional
                 * @property {number|null} [sessionExpiresSeconds] Signalling sessionExpiresSeconds
                 * @property {number|null} [sessionMinSeconds] Signalling sessionMinSeconds
                 * @property {string|null} [refresher] Signalling refresher
                 * @property {boolean|null} [delayedOffer] Signalling delayedOffer
                 * @property {number|null} [maxRedirects] Signalling maxRedirects
                 * @property {number|null} [answerDelayMs] Signalling answerDelayMs
                 * @property {number|null} [ringMs] Signalling ringMs
                 * @property {number|null} [provisional] Signalling provisional
                 * @property {number|null} [rejectStatus] Signalling rejectStatus
                 * @property {boolean|null} [correlate] Signalling correlate
                 * @property {string|null} [instanceId] Signalling instanceId
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Signalling.
                 * @memberof carillon.agent.v1
                 * @interface ISignalling
                 * @augments carillon.agent.v1.Signalling.$Properties
                 * @deprecated Use carillon.agent.v1.Signalling.$Properties instead.
                 */

                /**
                 * Shape of a Signalling.
                 * @typedef {carillon.agent.v1.Signalling.$Properties} carillon.agent.v1.Signalling.$Shape
                 */

                /**
                 * Constructs a new Signalling.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Signalling.
                 * @constructor
                 * @param {carillon.agent.v1.Signalling.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Signalling = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Signalling reliableProvisional.
                 * @member {string} reliableProvisional
                 * @memberof carillon.agent.v1.Signalling
                 * @instance
                 */
                Signalling.prototype.reliableProvisional = "";

                /**
                 * Signalling sessionExpiresSeconds.
                 * @member {number} sessionExpiresSeconds
                 * @memberof carillon.agent.v1.Signalling
                 * @instance
                 */
                Signalling.prototype.sessionExpiresSeconds = 0;

                /**
                 * Signalling sessionMinSeconds.
                 * @member {number} sessionMinSeconds
                 * @memberof carillon.agent.v1.Signalling
                 * @instance
                 */
                Signalling.prototype.sessionMinSeconds = 0;

                /**
                 * Signalling refresher.
                 * @member {string} refresher
                 * @memberof carillon.agent.v1.Signalling
                 * @instance
                 */
                Signalling.prototype.refresher = "";

                /**
                 * Signalling delayedOffer.
                 * @member {boolean} delayedOffer
                 * @memberof carillon.agent.v1.Signalling
                 * @instance
                 */
                Signalling.prototype.delayedOffer = false;

                /**
                 * Signalling maxRedirects.
                 * @member {number} maxRedirects
                 * @memberof carillon.agent.v1.Signalling
                 * @instance
                 */
                Signalling.prototype.maxRedirects = 0;

                /**
                 * Signalling answerDelayMs.
                 * @member {number} answerDelayMs
                 * @memberof carillon.agent.v1.Signalling
                 * @instance
                 */
                Signalling.prototype.answerDelayMs = 0;

                /**
                 * Signalling ringMs.
                 * @member {number} ringMs
                 * @memberof carillon.agent.v1.Signalling
                 * @instance
                 */
                Signalling.prototype.ringMs = 0;

                /**
                 * Signalling provisional.
                 * @member {number} provisional
                 * @memberof carillon.agent.v1.Signalling
                 * @instance
                 */
                Signalling.prototype.provisional = 0;

                /**
                 * Signalling rejectStatus.
                 * @member {number} rejectStatus
                 * @memberof carillon.agent.v1.Signalling
                 * @instance
                 */
                Signalling.prototype.rejectStatus = 0;

                /**
                 * Signalling correlate.
                 * @member {boolean} correlate
                 * @memberof carillon.agent.v1.Signalling
                 * @instance
                 */
                Signalling.prototype.correlate = false;

                /**
                 * Signalling instanceId.
                 * @member {string} instanceId
                 * @memberof carillon.agent.v1.Signalling
                 * @instance
                 */
                Signalling.prototype.instanceId = "";

                /**
                 * Encodes the specified Signalling message. Does not implicitly {@link carillon.agent.v1.Signalling.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Signalling
                 * @static
                 * @param {carillon.agent.v1.Signalling.$Properties} message Signalling message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Signalling.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.reliableProvisional != null && $Object.hasOwnProperty.call(message, "reliableProvisional") && message.reliableProvisional !== "")
                        writer.uint32(/* id 1, wireType 2 =*/10).string(message.reliableProvisional);
                    if (message.sessionExpiresSeconds != null && $Object.hasOwnProperty.call(message, "sessionExpiresSeconds") && message.sessionExpiresSeconds !== 0)
                        writer.uint32(/* id 2, wireType 0 =*/16).uint32(message.sessionExpiresSeconds);
                    if (message.sessionMinSeconds != null && $Object.hasOwnProperty.call(message, "sessionMinSeconds") && message.sessionMinSeconds !== 0)
                        writer.uint32(/* id 3, wireType 0 =*/24).uint32(message.sessionMinSeconds);
                    if (message.refresher != null && $Object.hasOwnProperty.call(message, "refresher") && message.refresher !== "")
                        writer.uint32(/* id 4, wireType 2 =*/34).string(message.refresher);
                    if (message.delayedOffer != null && $Object.hasOwnProperty.call(message, "delayedOffer") && message.delayedOffer !== false)
                        writer.uint32(/* id 5, wireType 0 =*/40).bool(message.delayedOffer);
                    if (message.maxRedirects != null && $Object.hasOwnProperty.call(message, "maxRedirects") && message.maxRedirects !== 0)
                        writer.uint32(/* id 6, wireType 0 =*/48).uint32(message.maxRedirects);
                    if (message.answerDelayMs != null && $Object.hasOwnProperty.call(message, "answerDelayMs") && message.answerDelayMs !== 0)
                        writer.uint32(/* id 7, wireType 0 =*/56).uint32(message.answerDelayMs);
                    if (message.ringMs != null && $Object.hasOwnProperty.call(message, "ringMs") && message.ringMs !== 0)
                        writer.uint32(/* id 8, wireType 0 =*/64).uint32(message.ringMs);
                    if (message.provisional != null && $Object.hasOwnProperty.call(message, "provisional") && message.provisional !== 0)
                        writer.uint32(/* id 9, wireType 0 =*/72).uint32(message.provisional);
                    if (message.rejectStatus != null && $Object.hasOwnProperty.call(message, "rejectStatus") && message.rejectStatus !== 0)
                        writer.uint32(/* id 10, wireType 0 =*/80).uint32(message.rejectStatus);
                    if (message.correlate != null && $Object.hasOwnProperty.call(message, "correlate") && message.correlate !== false)
                        writer.uint32(/* id 11, wireType 0 =*/88).bool(message.correlate);
                    if (message.instanceId != null && $Object.hasOwnProperty.call(message, "instanceId") && message.instanceId !== "")
                        writer.uint32(/* id 12, wireType 2 =*/98).string(message.instanceId);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Signalling message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Signalling
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Signalling & carillon.agent.v1.Signalling.$Shape} Signalling
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Signalling.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Signalling();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.reliableProvisional = value;
                                else
                                    delete message.reliableProvisional;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.sessionExpiresSeconds = value;
                                else
                                    delete message.sessionExpiresSeconds;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.sessionMinSeconds = value;
                                else
                                    delete message.sessionMinSeconds;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.refresher = value;
                                else
                                    delete message.refresher;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.delayedOffer = value;
                                else
                                    delete message.delayedOffer;
                                continue;
                            }
                        case 6: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.maxRedirects = value;
                                else
                                    delete message.maxRedirects;
                                continue;
                            }
                        case 7: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.answerDelayMs = value;
                                else
                                    delete message.answerDelayMs;
                                continue;
                            }
                        case 8: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.ringMs = value;
                                else
                                    delete message.ringMs;
                                continue;
                            }
                        case 9: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.provisional = value;
                                else
                                    delete message.provisional;
                                continue;
                            }
                        case 10: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.rejectStatus = value;
                                else
                                    delete message.rejectStatus;
                                continue;
                            }
                        case 11: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.correlate = value;
                                else
                                    delete message.correlate;
                                continue;
                            }
                        case 12: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.instanceId = value;
                                else
                                    delete message.instanceId;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Signalling;
            })();

            v1.Breaker = (function() {

                /**
                 * Properties of a Breaker.
                 * @typedef {Object} carillon.agent.v1.Breaker.$Properties
                 * @property {number|null} [failurePercent] Breaker failurePercent
                 * @property {number|null} [minCalls] Breaker minCalls
                 * @property {number|null} [blockedCalls] Breaker blockedCalls
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Breaker.
                 * @memberof carillon.agent.v1
                 * @interface IBreaker
                 * @augments carillon.agent.v1.Breaker.$Properties
                 * @deprecated Use carillon.agent.v1.Breaker.$Properties instead.
                 */

                /**
                 * Shape of a Breaker.
                 * @typedef {carillon.agent.v1.Breaker.$Properties} carillon.agent.v1.Breaker.$Shape
                 */

                /**
                 * Constructs a new Breaker.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Breaker.
                 * @constructor
                 * @param {carillon.agent.v1.Breaker.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Breaker = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Breaker failurePercent.
                 * @member {number} failurePercent
                 * @memberof carillon.agent.v1.Breaker
                 * @instance
                 */
                Breaker.prototype.failurePercent = 0;

                /**
                 * Breaker minCalls.
                 * @member {number} minCalls
                 * @memberof carillon.agent.v1.Breaker
                 * @instance
                 */
                Breaker.prototype.minCalls = 0;

                /**
                 * Breaker blockedCalls.
                 * @member {number} blockedCalls
                 * @memberof carillon.agent.v1.Breaker
                 * @instance
                 */
                Breaker.prototype.blockedCalls = 0;

                /**
                 * Encodes the specified Breaker message. Does not implicitly {@link carillon.agent.v1.Breaker.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Breaker
                 * @static
                 * @param {carillon.agent.v1.Breaker.$Properties} message Breaker message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Breaker.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.failurePercent != null && $Object.hasOwnProperty.call(message, "failurePercent") && !$Object.is(message.failurePercent, 0))
                        writer.uint32(/* id 1, wireType 1 =*/9).double(message.failurePercent);
                    if (message.minCalls != null && $Object.hasOwnProperty.call(message, "minCalls") && message.minCalls !== 0)
                        writer.uint32(/* id 2, wireType 0 =*/16).uint32(message.minCalls);
                    if (message.blockedCalls != null && $Object.hasOwnProperty.call(message, "blockedCalls") && message.blockedCalls !== 0)
                        writer.uint32(/* id 3, wireType 0 =*/24).uint32(message.blockedCalls);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Breaker message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Breaker
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Breaker & carillon.agent.v1.Breaker.$Shape} Breaker
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Breaker.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Breaker();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.failurePercent = value;
                                else
                                    delete message.failurePercent;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.minCalls = value;
                                else
                                    delete message.minCalls;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.blockedCalls = value;
                                else
                                    delete message.blockedCalls;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Breaker;
            })();

            v1.Impairment = (function() {

                /**
                 * Properties of an Impairment.
                 * @typedef {Object} carillon.agent.v1.Impairment.$Properties
                 * @property {number|null} [seed] Impairment seed
                 * @property {number|null} [lossPercent] Impairment lossPercent
                 * @property {number|null} [burstRatio] Impairment burstRatio
                 * @property {number|null} [delayMs] Impairment delayMs
                 * @property {number|null} [jitterMs] Impairment jitterMs
                 * @property {string|null} [jitterDistribution] Impairment jitterDistribution
                 * @property {number|null} [reorderPercent] Impairment reorderPercent
                 * @property {number|null} [duplicatePercent] Impairment duplicatePercent
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of an Impairment.
                 * @memberof carillon.agent.v1
                 * @interface IImpairment
                 * @augments carillon.agent.v1.Impairment.$Properties
                 * @deprecated Use carillon.agent.v1.Impairment.$Properties instead.
                 */

                /**
                 * Shape of an Impairment.
                 * @typedef {carillon.agent.v1.Impairment.$Properties} carillon.agent.v1.Impairment.$Shape
                 */

                /**
                 * Constructs a new Impairment.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents an Impairment.
                 * @constructor
                 * @param {carillon.agent.v1.Impairment.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Impairment = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Impairment seed.
                 * @member {number} seed
                 * @memberof carillon.agent.v1.Impairment
                 * @instance
                 */
                Impairment.prototype.seed = 0;

                /**
                 * Impairment lossPercent.
                 * @member {number} lossPercent
                 * @memberof carillon.agent.v1.Impairment
                 * @instance
                 */
                Impairment.prototype.lossPercent = 0;

                /**
                 * Impairment burstRatio.
                 * @member {number} burstRatio
                 * @memberof carillon.agent.v1.Impairment
                 * @instance
                 */
                Impairment.prototype.burstRatio = 0;

                /**
                 * Impairment delayMs.
                 * @member {number} delayMs
                 * @memberof carillon.agent.v1.Impairment
                 * @instance
                 */
                Impairment.prototype.delayMs = 0;

                /**
                 * Impairment jitterMs.
                 * @member {number} jitterMs
                 * @memberof carillon.agent.v1.Impairment
                 * @instance
                 */
                Impairment.prototype.jitterMs = 0;

                /**
                 * Impairment jitterDistribution.
                 * @member {string} jitterDistribution
                 * @memberof carillon.agent.v1.Impairment
                 * @instance
                 */
                Impairment.prototype.jitterDistribution = "";

                /**
                 * Impairment reorderPercent.
                 * @member {number} reorderPercent
                 * @memberof carillon.agent.v1.Impairment
                 * @instance
                 */
                Impairment.prototype.reorderPercent = 0;

                /**
                 * Impairment duplicatePercent.
                 * @member {number} duplicatePercent
                 * @memberof carillon.agent.v1.Impairment
                 * @instance
                 */
                Impairment.prototype.duplicatePercent = 0;

                /**
                 * Encodes the specified Impairment message. Does not implicitly {@link carillon.agent.v1.Impairment.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Impairment
                 * @static
                 * @param {carillon.agent.v1.Impairment.$Properties} message Impairment message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Impairment.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.seed != null && $Object.hasOwnProperty.call(message, "seed") && message.seed !== 0)
                        writer.uint32(/* id 1, wireType 0 =*/8).uint32(message.seed);
                    if (message.lossPercent != null && $Object.hasOwnProperty.call(message, "lossPercent") && !$Object.is(message.lossPercent, 0))
                        writer.uint32(/* id 2, wireType 1 =*/17).double(message.lossPercent);
                    if (message.burstRatio != null && $Object.hasOwnProperty.call(message, "burstRatio") && !$Object.is(message.burstRatio, 0))
                        writer.uint32(/* id 3, wireType 1 =*/25).double(message.burstRatio);
                    if (message.delayMs != null && $Object.hasOwnProperty.call(message, "delayMs") && !$Object.is(message.delayMs, 0))
                        writer.uint32(/* id 4, wireType 1 =*/33).double(message.delayMs);
                    if (message.jitterMs != null && $Object.hasOwnProperty.call(message, "jitterMs") && !$Object.is(message.jitterMs, 0))
                        writer.uint32(/* id 5, wireType 1 =*/41).double(message.jitterMs);
                    if (message.jitterDistribution != null && $Object.hasOwnProperty.call(message, "jitterDistribution") && message.jitterDistribution !== "")
                        writer.uint32(/* id 6, wireType 2 =*/50).string(message.jitterDistribution);
                    if (message.reorderPercent != null && $Object.hasOwnProperty.call(message, "reorderPercent") && !$Object.is(message.reorderPercent, 0))
                        writer.uint32(/* id 7, wireType 1 =*/57).double(message.reorderPercent);
                    if (message.duplicatePercent != null && $Object.hasOwnProperty.call(message, "duplicatePercent") && !$Object.is(message.duplicatePercent, 0))
                        writer.uint32(/* id 8, wireType 1 =*/65).double(message.duplicatePercent);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes an Impairment message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Impairment
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Impairment & carillon.agent.v1.Impairment.$Shape} Impairment
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Impairment.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Impairment();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.seed = value;
                                else
                                    delete message.seed;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.lossPercent = value;
                                else
                                    delete message.lossPercent;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.burstRatio = value;
                                else
                                    delete message.burstRatio;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.delayMs = value;
                                else
                                    delete message.delayMs;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.jitterMs = value;
                                else
                                    delete message.jitterMs;
                                continue;
                            }
                        case 6: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.jitterDistribution = value;
                                else
                                    delete message.jitterDistribution;
                                continue;
                            }
                        case 7: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.reorderPercent = value;
                                else
                                    delete message.reorderPercent;
                                continue;
                            }
                        case 8: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.duplicatePercent = value;
                                else
                                    delete message.duplicatePercent;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Impairment;
            })();

            v1.Endpoints = (function() {

                /**
                 * Properties of an Endpoints.
                 * @typedef {Object} carillon.agent.v1.Endpoints.$Properties
                 * @property {Array.<number>|null} [number] Endpoints number
                 * @property {Array.<number>|null} [listener] Endpoints listener
                 * @property {Array.<number>|null} [registerAtMs] Endpoints registerAtMs
                 * @property {Array.<number>|null} [callAtMs] Endpoints callAtMs
                 * @property {Array.<string>|null} [user] Endpoints user
                 * @property {Array.<string>|null} [accountUser] Endpoints accountUser
                 * @property {Array.<string>|null} [accountPassword] Endpoints accountPassword
                 * @property {Array.<string>|null} [targetUri] Endpoints targetUri
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of an Endpoints.
                 * @memberof carillon.agent.v1
                 * @interface IEndpoints
                 * @augments carillon.agent.v1.Endpoints.$Properties
                 * @deprecated Use carillon.agent.v1.Endpoints.$Properties instead.
                 */

                /**
                 * Shape of an Endpoints.
                 * @typedef {carillon.agent.v1.Endpoints.$Properties} carillon.agent.v1.Endpoints.$Shape
                 */

                /**
                 * Constructs a new Endpoints.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents an Endpoints.
                 * @constructor
                 * @param {carillon.agent.v1.Endpoints.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Endpoints = function (properties) {
                    this.number = [];
                    this.listener = [];
                    this.registerAtMs = [];
                    this.callAtMs = [];
                    this.user = [];
                    this.accountUser = [];
                    this.accountPassword = [];
                    this.targetUri = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Endpoints number.
                 * @member {Array.<number>} number
                 * @memberof carillon.agent.v1.Endpoints
                 * @instance
                 */
                Endpoints.prototype.number = $util.emptyArray;

                /**
                 * Endpoints listener.
                 * @member {Array.<number>} listener
                 * @memberof carillon.agent.v1.Endpoints
                 * @instance
                 */
                Endpoints.prototype.listener = $util.emptyArray;

                /**
                 * Endpoints registerAtMs.
                 * @member {Array.<number>} registerAtMs
                 * @memberof carillon.agent.v1.Endpoints
                 * @instance
                 */
                Endpoints.prototype.registerAtMs = $util.emptyArray;

                /**
                 * Endpoints callAtMs.
                 * @member {Array.<number>} callAtMs
                 * @memberof carillon.agent.v1.Endpoints
                 * @instance
                 */
                Endpoints.prototype.callAtMs = $util.emptyArray;

                /**
                 * Endpoints user.
                 * @member {Array.<string>} user
                 * @memberof carillon.agent.v1.Endpoints
                 * @instance
                 */
                Endpoints.prototype.user = $util.emptyArray;

                /**
                 * Endpoints accountUser.
                 * @member {Array.<string>} accountUser
                 * @memberof carillon.agent.v1.Endpoints
                 * @instance
                 */
                Endpoints.prototype.accountUser = $util.emptyArray;

                /**
                 * Endpoints accountPassword.
                 * @member {Array.<string>} accountPassword
                 * @memberof carillon.agent.v1.Endpoints
                 * @instance
                 */
                Endpoints.prototype.accountPassword = $util.emptyArray;

                /**
                 * Endpoints targetUri.
                 * @member {Array.<string>} targetUri
                 * @memberof carillon.agent.v1.Endpoints
                 * @instance
                 */
                Endpoints.prototype.targetUri = $util.emptyArray;

                /**
                 * Encodes the specified Endpoints message. Does not implicitly {@link carillon.agent.v1.Endpoints.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Endpoints
                 * @static
                 * @param {carillon.agent.v1.Endpoints.$Properties} message Endpoints message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Endpoints.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.number != null && message.number.length)
                        writer.uint32(/* id 1, wireType 2 =*/10).uint32s(message.number);
                    if (message.listener != null && message.listener.length)
                        writer.uint32(/* id 2, wireType 2 =*/18).uint32s(message.listener);
                    if (message.registerAtMs != null && message.registerAtMs.length)
                        writer.uint32(/* id 3, wireType 2 =*/26).uint32s(message.registerAtMs);
                    if (message.callAtMs != null && message.callAtMs.length)
                        writer.uint32(/* id 4, wireType 2 =*/34).uint32s(message.callAtMs);
                    if (message.user != null && message.user.length)
                        for (let i = 0; i < message.user.length; ++i)
                            writer.uint32(/* id 5, wireType 2 =*/42).string(message.user[i]);
                    if (message.accountUser != null && message.accountUser.length)
                        for (let i = 0; i < message.accountUser.length; ++i)
                            writer.uint32(/* id 6, wireType 2 =*/50).string(message.accountUser[i]);
                    if (message.accountPassword != null && message.accountPassword.length)
                        for (let i = 0; i < message.accountPassword.length; ++i)
                            writer.uint32(/* id 7, wireType 2 =*/58).string(message.accountPassword[i]);
                    if (message.targetUri != null && message.targetUri.length)
                        for (let i = 0; i < message.targetUri.length; ++i)
                            writer.uint32(/* id 8, wireType 2 =*/66).string(message.targetUri[i]);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes an Endpoints message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Endpoints
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Endpoints & carillon.agent.v1.Endpoints.$Shape} Endpoints
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Endpoints.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Endpoints();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType === 2) {
                                    if (!(message.number && message.number.length))
                                        message.number = [];
                                    reader.uint32s(message.number);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.number && message.number.length))
                                    message.number = [];
                                message.number.push(reader.uint32());
                                continue;
                            }
                        case 2: {
                                if (wireType === 2) {
                                    if (!(message.listener && message.listener.length))
                                        message.listener = [];
                                    reader.uint32s(message.listener);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.listener && message.listener.length))
                                    message.listener = [];
                                message.listener.push(reader.uint32());
                                continue;
                            }
                        case 3: {
                                if (wireType === 2) {
                                    if (!(message.registerAtMs && message.registerAtMs.length))
                                        message.registerAtMs = [];
                                    reader.uint32s(message.registerAtMs);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.registerAtMs && message.registerAtMs.length))
                                    message.registerAtMs = [];
                                message.registerAtMs.push(reader.uint32());
                                continue;
                            }
                        case 4: {
                                if (wireType === 2) {
                                    if (!(message.callAtMs && message.callAtMs.length))
                                        message.callAtMs = [];
                                    reader.uint32s(message.callAtMs);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.callAtMs && message.callAtMs.length))
                                    message.callAtMs = [];
                                message.callAtMs.push(reader.uint32());
                                continue;
                            }
                        case 5: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.user && message.user.length))
                                    message.user = [];
                                message.user.push(reader.stringVerify());
                                continue;
                            }
                        case 6: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.accountUser && message.accountUser.length))
                                    message.accountUser = [];
                                message.accountUser.push(reader.stringVerify());
                                continue;
                            }
                        case 7: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.accountPassword && message.accountPassword.length))
                                    message.accountPassword = [];
                                message.accountPassword.push(reader.stringVerify());
                                continue;
                            }
                        case 8: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.targetUri && message.targetUri.length))
                                    message.targetUri = [];
                                message.targetUri.push(reader.stringVerify());
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Endpoints;
            })();

            v1.ChangeLoad = (function() {

                /**
                 * Properties of a ChangeLoad.
                 * @typedef {Object} carillon.agent.v1.ChangeLoad.$Properties
                 * @property {Uint8Array|null} [runId] ChangeLoad runId
                 * @property {Array.<Uint8Array>|null} [allocationIds] ChangeLoad allocationIds
                 * @property {Array.<carillon.agent.v1.LoadStep.$Properties>|null} [steps] ChangeLoad steps
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a ChangeLoad.
                 * @memberof carillon.agent.v1
                 * @interface IChangeLoad
                 * @augments carillon.agent.v1.ChangeLoad.$Properties
                 * @deprecated Use carillon.agent.v1.ChangeLoad.$Properties instead.
                 */

                /**
                 * Shape of a ChangeLoad.
                 * @typedef {carillon.agent.v1.ChangeLoad.$Properties} carillon.agent.v1.ChangeLoad.$Shape
                 */

                /**
                 * Constructs a new ChangeLoad.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a ChangeLoad.
                 * @constructor
                 * @param {carillon.agent.v1.ChangeLoad.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const ChangeLoad = function (properties) {
                    this.allocationIds = [];
                    this.steps = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * ChangeLoad runId.
                 * @member {Uint8Array} runId
                 * @memberof carillon.agent.v1.ChangeLoad
                 * @instance
                 */
                ChangeLoad.prototype.runId = $util.newBuffer([]);

                /**
                 * ChangeLoad allocationIds.
                 * @member {Array.<Uint8Array>} allocationIds
                 * @memberof carillon.agent.v1.ChangeLoad
                 * @instance
                 */
                ChangeLoad.prototype.allocationIds = $util.emptyArray;

                /**
                 * ChangeLoad steps.
                 * @member {Array.<carillon.agent.v1.LoadStep.$Properties>} steps
                 * @memberof carillon.agent.v1.ChangeLoad
                 * @instance
                 */
                ChangeLoad.prototype.steps = $util.emptyArray;

                /**
                 * Encodes the specified ChangeLoad message. Does not implicitly {@link carillon.agent.v1.ChangeLoad.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.ChangeLoad
                 * @static
                 * @param {carillon.agent.v1.ChangeLoad.$Properties} message ChangeLoad message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                ChangeLoad.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.runId != null && $Object.hasOwnProperty.call(message, "runId") && message.runId.length)
                        writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.runId);
                    if (message.allocationIds != null && message.allocationIds.length)
                        for (let i = 0; i < message.allocationIds.length; ++i)
                            writer.uint32(/* id 2, wireType 2 =*/18).bytes(message.allocationIds[i]);
                    if (message.steps != null && message.steps.length)
                        for (let i = 0; i < message.steps.length; ++i)
                            $root.carillon.agent.v1.LoadStep.encode(message.steps[i], writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a ChangeLoad message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.ChangeLoad
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.ChangeLoad & carillon.agent.v1.ChangeLoad.$Shape} ChangeLoad
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                ChangeLoad.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.ChangeLoad();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.runId = value;
                                else
                                    delete message.runId;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.allocationIds && message.allocationIds.length))
                                    message.allocationIds = [];
                                message.allocationIds.push(reader.bytes());
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.steps && message.steps.length))
                                    message.steps = [];
                                message.steps.push($root.carillon.agent.v1.LoadStep.decode(reader, reader.size(), $undefined, _depth + 1));
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return ChangeLoad;
            })();

            v1.Start = (function() {

                /**
                 * Properties of a Start.
                 * @typedef {Object} carillon.agent.v1.Start.$Properties
                 * @property {Uint8Array|null} [runId] Start runId
                 * @property {Array.<Uint8Array>|null} [allocationIds] Start allocationIds
                 * @property {number|null} [startUnixMs] Start startUnixMs
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Start.
                 * @memberof carillon.agent.v1
                 * @interface IStart
                 * @augments carillon.agent.v1.Start.$Properties
                 * @deprecated Use carillon.agent.v1.Start.$Properties instead.
                 */

                /**
                 * Shape of a Start.
                 * @typedef {carillon.agent.v1.Start.$Properties} carillon.agent.v1.Start.$Shape
                 */

                /**
                 * Constructs a new Start.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Start.
                 * @constructor
                 * @param {carillon.agent.v1.Start.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Start = function (properties) {
                    this.allocationIds = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Start runId.
                 * @member {Uint8Array} runId
                 * @memberof carillon.agent.v1.Start
                 * @instance
                 */
                Start.prototype.runId = $util.newBuffer([]);

                /**
                 * Start allocationIds.
                 * @member {Array.<Uint8Array>} allocationIds
                 * @memberof carillon.agent.v1.Start
                 * @instance
                 */
                Start.prototype.allocationIds = $util.emptyArray;

                /**
                 * Start startUnixMs.
                 * @member {number} startUnixMs
                 * @memberof carillon.agent.v1.Start
                 * @instance
                 */
                Start.prototype.startUnixMs = 0;

                /**
                 * Encodes the specified Start message. Does not implicitly {@link carillon.agent.v1.Start.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Start
                 * @static
                 * @param {carillon.agent.v1.Start.$Properties} message Start message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Start.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.runId != null && $Object.hasOwnProperty.call(message, "runId") && message.runId.length)
                        writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.runId);
                    if (message.allocationIds != null && message.allocationIds.length)
                        for (let i = 0; i < message.allocationIds.length; ++i)
                            writer.uint32(/* id 2, wireType 2 =*/18).bytes(message.allocationIds[i]);
                    if (message.startUnixMs != null && $Object.hasOwnProperty.call(message, "startUnixMs") && !$Object.is(message.startUnixMs, 0))
                        writer.uint32(/* id 3, wireType 1 =*/25).double(message.startUnixMs);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Start message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Start
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Start & carillon.agent.v1.Start.$Shape} Start
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Start.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Start();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.runId = value;
                                else
                                    delete message.runId;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.allocationIds && message.allocationIds.length))
                                    message.allocationIds = [];
                                message.allocationIds.push(reader.bytes());
                                continue;
                            }
                        case 3: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.startUnixMs = value;
                                else
                                    delete message.startUnixMs;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Start;
            })();

            v1.Finish = (function() {

                /**
                 * Properties of a Finish.
                 * @typedef {Object} carillon.agent.v1.Finish.$Properties
                 * @property {Uint8Array|null} [runId] Finish runId
                 * @property {Array.<Uint8Array>|null} [allocationIds] Finish allocationIds
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Finish.
                 * @memberof carillon.agent.v1
                 * @interface IFinish
                 * @augments carillon.agent.v1.Finish.$Properties
                 * @deprecated Use carillon.agent.v1.Finish.$Properties instead.
                 */

                /**
                 * Shape of a Finish.
                 * @typedef {carillon.agent.v1.Finish.$Properties} carillon.agent.v1.Finish.$Shape
                 */

                /**
                 * Constructs a new Finish.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Finish.
                 * @constructor
                 * @param {carillon.agent.v1.Finish.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Finish = function (properties) {
                    this.allocationIds = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Finish runId.
                 * @member {Uint8Array} runId
                 * @memberof carillon.agent.v1.Finish
                 * @instance
                 */
                Finish.prototype.runId = $util.newBuffer([]);

                /**
                 * Finish allocationIds.
                 * @member {Array.<Uint8Array>} allocationIds
                 * @memberof carillon.agent.v1.Finish
                 * @instance
                 */
                Finish.prototype.allocationIds = $util.emptyArray;

                /**
                 * Encodes the specified Finish message. Does not implicitly {@link carillon.agent.v1.Finish.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Finish
                 * @static
                 * @param {carillon.agent.v1.Finish.$Properties} message Finish message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Finish.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.runId != null && $Object.hasOwnProperty.call(message, "runId") && message.runId.length)
                        writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.runId);
                    if (message.allocationIds != null && message.allocationIds.length)
                        for (let i = 0; i < message.allocationIds.length; ++i)
                            writer.uint32(/* id 2, wireType 2 =*/18).bytes(message.allocationIds[i]);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Finish message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Finish
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Finish & carillon.agent.v1.Finish.$Shape} Finish
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Finish.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Finish();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.runId = value;
                                else
                                    delete message.runId;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.allocationIds && message.allocationIds.length))
                                    message.allocationIds = [];
                                message.allocationIds.push(reader.bytes());
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Finish;
            })();

            v1.BreakOff = (function() {

                /**
                 * Properties of a BreakOff.
                 * @typedef {Object} carillon.agent.v1.BreakOff.$Properties
                 * @property {Uint8Array|null} [runId] BreakOff runId
                 * @property {Array.<Uint8Array>|null} [allocationIds] BreakOff allocationIds
                 * @property {string|null} [reason] BreakOff reason
                 * @property {number|null} [untilUnixMs] BreakOff untilUnixMs
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a BreakOff.
                 * @memberof carillon.agent.v1
                 * @interface IBreakOff
                 * @augments carillon.agent.v1.BreakOff.$Properties
                 * @deprecated Use carillon.agent.v1.BreakOff.$Properties instead.
                 */

                /**
                 * Shape of a BreakOff.
                 * @typedef {carillon.agent.v1.BreakOff.$Properties} carillon.agent.v1.BreakOff.$Shape
                 */

                /**
                 * Constructs a new BreakOff.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a BreakOff.
                 * @constructor
                 * @param {carillon.agent.v1.BreakOff.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const BreakOff = function (properties) {
                    this.allocationIds = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * BreakOff runId.
                 * @member {Uint8Array} runId
                 * @memberof carillon.agent.v1.BreakOff
                 * @instance
                 */
                BreakOff.prototype.runId = $util.newBuffer([]);

                /**
                 * BreakOff allocationIds.
                 * @member {Array.<Uint8Array>} allocationIds
                 * @memberof carillon.agent.v1.BreakOff
                 * @instance
                 */
                BreakOff.prototype.allocationIds = $util.emptyArray;

                /**
                 * BreakOff reason.
                 * @member {string} reason
                 * @memberof carillon.agent.v1.BreakOff
                 * @instance
                 */
                BreakOff.prototype.reason = "";

                /**
                 * BreakOff untilUnixMs.
                 * @member {number} untilUnixMs
                 * @memberof carillon.agent.v1.BreakOff
                 * @instance
                 */
                BreakOff.prototype.untilUnixMs = 0;

                /**
                 * Encodes the specified BreakOff message. Does not implicitly {@link carillon.agent.v1.BreakOff.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.BreakOff
                 * @static
                 * @param {carillon.agent.v1.BreakOff.$Properties} message BreakOff message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                BreakOff.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.runId != null && $Object.hasOwnProperty.call(message, "runId") && message.runId.length)
                        writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.runId);
                    if (message.allocationIds != null && message.allocationIds.length)
                        for (let i = 0; i < message.allocationIds.length; ++i)
                            writer.uint32(/* id 2, wireType 2 =*/18).bytes(message.allocationIds[i]);
                    if (message.reason != null && $Object.hasOwnProperty.call(message, "reason") && message.reason !== "")
                        writer.uint32(/* id 3, wireType 2 =*/26).string(message.reason);
                    if (message.untilUnixMs != null && $Object.hasOwnProperty.call(message, "untilUnixMs") && !$Object.is(message.untilUnixMs, 0))
                        writer.uint32(/* id 4, wireType 1 =*/33).double(message.untilUnixMs);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a BreakOff message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.BreakOff
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.BreakOff & carillon.agent.v1.BreakOff.$Shape} BreakOff
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                BreakOff.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.BreakOff();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.runId = value;
                                else
                                    delete message.runId;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.allocationIds && message.allocationIds.length))
                                    message.allocationIds = [];
                                message.allocationIds.push(reader.bytes());
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.reason = value;
                                else
                                    delete message.reason;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.untilUnixMs = value;
                                else
                                    delete message.untilUnixMs;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return BreakOff;
            })();

            v1.Stop = (function() {

                /**
                 * Properties of a Stop.
                 * @typedef {Object} carillon.agent.v1.Stop.$Properties
                 * @property {Uint8Array|null} [runId] Stop runId
                 * @property {Array.<Uint8Array>|null} [allocationIds] Stop allocationIds
                 * @property {string|null} [reason] Stop reason
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Stop.
                 * @memberof carillon.agent.v1
                 * @interface IStop
                 * @augments carillon.agent.v1.Stop.$Properties
                 * @deprecated Use carillon.agent.v1.Stop.$Properties instead.
                 */

                /**
                 * Shape of a Stop.
                 * @typedef {carillon.agent.v1.Stop.$Properties} carillon.agent.v1.Stop.$Shape
                 */

                /**
                 * Constructs a new Stop.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Stop.
                 * @constructor
                 * @param {carillon.agent.v1.Stop.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Stop = function (properties) {
                    this.allocationIds = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Stop runId.
                 * @member {Uint8Array} runId
                 * @memberof carillon.agent.v1.Stop
                 * @instance
                 */
                Stop.prototype.runId = $util.newBuffer([]);

                /**
                 * Stop allocationIds.
                 * @member {Array.<Uint8Array>} allocationIds
                 * @memberof carillon.agent.v1.Stop
                 * @instance
                 */
                Stop.prototype.allocationIds = $util.emptyArray;

                /**
                 * Stop reason.
                 * @member {string} reason
                 * @memberof carillon.agent.v1.Stop
                 * @instance
                 */
                Stop.prototype.reason = "";

                /**
                 * Encodes the specified Stop message. Does not implicitly {@link carillon.agent.v1.Stop.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Stop
                 * @static
                 * @param {carillon.agent.v1.Stop.$Properties} message Stop message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Stop.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.runId != null && $Object.hasOwnProperty.call(message, "runId") && message.runId.length)
                        writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.runId);
                    if (message.allocationIds != null && message.allocationIds.length)
                        for (let i = 0; i < message.allocationIds.length; ++i)
                            writer.uint32(/* id 2, wireType 2 =*/18).bytes(message.allocationIds[i]);
                    if (message.reason != null && $Object.hasOwnProperty.call(message, "reason") && message.reason !== "")
                        writer.uint32(/* id 3, wireType 2 =*/26).string(message.reason);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Stop message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Stop
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Stop & carillon.agent.v1.Stop.$Shape} Stop
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Stop.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Stop();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.runId = value;
                                else
                                    delete message.runId;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.allocationIds && message.allocationIds.length))
                                    message.allocationIds = [];
                                message.allocationIds.push(reader.bytes());
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.reason = value;
                                else
                                    delete message.reason;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Stop;
            })();

            v1.Facts = (function() {

                /**
                 * Properties of a Facts.
                 * @typedef {Object} carillon.agent.v1.Facts.$Properties
                 * @property {Array.<carillon.agent.v1.AllocationFacts.$Properties>|null} [allocations] Facts allocations
                 * @property {Array.<carillon.agent.v1.Noise.$Properties>|null} [noise] Facts noise
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Facts.
                 * @memberof carillon.agent.v1
                 * @interface IFacts
                 * @augments carillon.agent.v1.Facts.$Properties
                 * @deprecated Use carillon.agent.v1.Facts.$Properties instead.
                 */

                /**
                 * Shape of a Facts.
                 * @typedef {carillon.agent.v1.Facts.$Properties} carillon.agent.v1.Facts.$Shape
                 */

                /**
                 * Constructs a new Facts.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Facts.
                 * @constructor
                 * @param {carillon.agent.v1.Facts.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Facts = function (properties) {
                    this.allocations = [];
                    this.noise = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Facts allocations.
                 * @member {Array.<carillon.agent.v1.AllocationFacts.$Properties>} allocations
                 * @memberof carillon.agent.v1.Facts
                 * @instance
                 */
                Facts.prototype.allocations = $util.emptyArray;

                /**
                 * Facts noise.
                 * @member {Array.<carillon.agent.v1.Noise.$Properties>} noise
                 * @memberof carillon.agent.v1.Facts
                 * @instance
                 */
                Facts.prototype.noise = $util.emptyArray;

                /**
                 * Encodes the specified Facts message. Does not implicitly {@link carillon.agent.v1.Facts.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Facts
                 * @static
                 * @param {carillon.agent.v1.Facts.$Properties} message Facts message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Facts.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.allocations != null && message.allocations.length)
                        for (let i = 0; i < message.allocations.length; ++i)
                            $root.carillon.agent.v1.AllocationFacts.encode(message.allocations[i], writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
                    if (message.noise != null && message.noise.length)
                        for (let i = 0; i < message.noise.length; ++i)
                            $root.carillon.agent.v1.Noise.encode(message.noise[i], writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Facts message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Facts
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Facts & carillon.agent.v1.Facts.$Shape} Facts
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Facts.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Facts();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.allocations && message.allocations.length))
                                    message.allocations = [];
                                message.allocations.push($root.carillon.agent.v1.AllocationFacts.decode(reader, reader.size(), $undefined, _depth + 1));
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.noise && message.noise.length))
                                    message.noise = [];
                                message.noise.push($root.carillon.agent.v1.Noise.decode(reader, reader.size(), $undefined, _depth + 1));
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Facts;
            })();

            /**
             * AllocationState enum.
             * @name carillon.agent.v1.AllocationState
             * @enum {number}
             * @property {number} ALLOCATION_STATE_UNSPECIFIED=0 ALLOCATION_STATE_UNSPECIFIED value
             * @property {number} READY=1 READY value
             * @property {number} REFUSED=2 REFUSED value
             * @property {number} DONE=3 DONE value
             */
            v1.AllocationState = (function() {
                const valuesById = $Object.create(null), values = $Object.create(valuesById);
                values[valuesById[0] = "ALLOCATION_STATE_UNSPECIFIED"] = 0;
                values[valuesById[1] = "READY"] = 1;
                values[valuesById[2] = "REFUSED"] = 2;
                values[valuesById[3] = "DONE"] = 3;
                return values;
            })();

            v1.AllocationFacts = (function() {

                /**
                 * Properties of an AllocationFacts.
                 * @typedef {Object} carillon.agent.v1.AllocationFacts.$Properties
                 * @property {Uint8Array|null} [allocationId] AllocationFacts allocationId
                 * @property {number|null} [baseUnixMs] AllocationFacts baseUnixMs
                 * @property {carillon.agent.v1.Phases.$Properties|null} [phases] AllocationFacts phases
                 * @property {Array.<carillon.agent.v1.Outcome.$Properties>|null} [outcomes] AllocationFacts outcomes
                 * @property {carillon.agent.v1.SipCounts.$Properties|null} [sipCounts] AllocationFacts sipCounts
                 * @property {Array.<carillon.agent.v1.MessageChunk.$Properties>|null} [messages] AllocationFacts messages
                 * @property {carillon.agent.v1.Samples.$Properties|null} [samples] AllocationFacts samples
                 * @property {Array.<carillon.agent.v1.StreamTotals.$Properties>|null} [streams] AllocationFacts streams
                 * @property {carillon.agent.v1.StartNoise.$Properties|null} [startNoise] AllocationFacts startNoise
                 * @property {carillon.agent.v1.AllocationState|null} [state] AllocationFacts state
                 * @property {string|null} [reasonCode] AllocationFacts reasonCode
                 * @property {string|null} [reason] AllocationFacts reason
                 * @property {carillon.agent.v1.ActionsDone.$Properties|null} [actions] AllocationFacts actions
                 * @property {Array.<carillon.agent.v1.Breach.$Properties>|null} [breaches] AllocationFacts breaches
                 * @property {carillon.agent.v1.CallTally.$Properties|null} [tally] AllocationFacts tally
                 * @property {Array.<carillon.agent.v1.RtpHeaders.$Properties>|null} [rtpHeaders] AllocationFacts rtpHeaders
                 * @property {Array.<carillon.agent.v1.MessageBlock.$Properties>|null} [messageBlocks] AllocationFacts messageBlocks
                 * @property {carillon.agent.v1.Phases.$Properties|null} [progress] AllocationFacts progress
                 * @property {carillon.agent.v1.RegistrationEnds.$Properties|null} [registrationEnds] AllocationFacts registrationEnds
                 * @property {carillon.agent.v1.Samples.$Properties|null} [summedSamples] AllocationFacts summedSamples
                 * @property {carillon.agent.v1.Samples.$Properties|null} [storedSamples] AllocationFacts storedSamples
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of an AllocationFacts.
                 * @memberof carillon.agent.v1
                 * @interface IAllocationFacts
                 * @augments carillon.agent.v1.AllocationFacts.$Properties
                 * @deprecated Use carillon.agent.v1.AllocationFacts.$Properties instead.
                 */

                /**
                 * Shape of an AllocationFacts.
                 * @typedef {carillon.agent.v1.AllocationFacts.$Properties} carillon.agent.v1.AllocationFacts.$Shape
                 */

                /**
                 * Constructs a new AllocationFacts.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents an AllocationFacts.
                 * @constructor
                 * @param {carillon.agent.v1.AllocationFacts.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const AllocationFacts = function (properties) {
                    this.outcomes = [];
                    this.messages = [];
                    this.streams = [];
                    this.breaches = [];
                    this.rtpHeaders = [];
                    this.messageBlocks = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * AllocationFacts allocationId.
                 * @member {Uint8Array} allocationId
                 * @memberof carillon.agent.v1.AllocationFacts
                 * @instance
                 */
                AllocationFacts.prototype.allocationId = $util.newBuffer([]);

                /**
                 * AllocationFacts baseUnixMs.
                 * @member {number} baseUnixMs
                 * @memberof carillon.agent.v1.AllocationFacts
                 * @instance
                 */
                AllocationFacts.prototype.baseUnixMs = 0;

                /**
                 * AllocationFacts phases.
                 * @member {carillon.agent.v1.Phases.$Properties|null|undefined} phases
                 * @memberof carillon.agent.v1.AllocationFacts
                 * @instance
                 */
                AllocationFacts.prototype.phases = null;

                /**
                 * AllocationFacts outcomes.
                 * @member {Array.<carillon.agent.v1.Outcome.$Properties>} outcomes
                 * @memberof carillon.agent.v1.AllocationFacts
                 * @instance
                 */
                AllocationFacts.prototype.outcomes = $util.emptyArray;

                /**
                 * AllocationFacts sipCounts.
                 * @member {carillon.agent.v1.SipCounts.$Properties|null|undefined} sipCounts
                 * @memberof carillon.agent.v1.AllocationFacts
                 * @instance
                 */
                AllocationFacts.prototype.sipCounts = null;

                /**
                 * AllocationFacts messages.
                 * @member {Array.<carillon.agent.v1.MessageChunk.$Properties>} messages
                 * @memberof carillon.agent.v1.AllocationFacts
                 * @instance
                 */
                AllocationFacts.prototype.messages = $util.emptyArray;

                /**
                 * AllocationFacts samples.
                 * @member {carillon.agent.v1.Samples.$Properties|null|undefined} samples
                 * @memberof carillon.agent.v1.AllocationFacts
                 * @instance
                 */
                AllocationFacts.prototype.samples = null;

                /**
                 * AllocationFacts streams.
                 * @member {Array.<carillon.agent.v1.StreamTotals.$Properties>} streams
                 * @memberof carillon.agent.v1.AllocationFacts
                 * @instance
                 */
                AllocationFacts.prototype.streams = $util.emptyArray;

                /**
                 * AllocationFacts startNoise.
                 * @member {carillon.agent.v1.StartNoise.$Properties|null|undefined} startNoise
                 * @memberof carillon.agent.v1.AllocationFacts
                 * @instance
                 */
                AllocationFacts.prototype.startNoise = null;

                /**
                 * AllocationFacts state.
                 * @member {carillon.agent.v1.AllocationState} state
                 * @memberof carillon.agent.v1.AllocationFacts
                 * @instance
                 */
                AllocationFacts.prototype.state = 0;

                /**
                 * AllocationFacts reasonCode.
                 * @member {string} reasonCode
                 * @memberof carillon.agent.v1.AllocationFacts
                 * @instance
                 */
                AllocationFacts.prototype.reasonCode = "";

                /**
                 * AllocationFacts reason.
                 * @member {string} reason
                 * @memberof carillon.agent.v1.AllocationFacts
                 * @instance
                 */
                AllocationFacts.prototype.reason = "";

                /**
                 * AllocationFacts actions.
                 * @member {carillon.agent.v1.ActionsDone.$Properties|null|undefined} actions
                 * @memberof carillon.agent.v1.AllocationFacts
                 * @instance
                 */
                AllocationFacts.prototype.actions = null;

                /**
                 * AllocationFacts breaches.
                 * @member {Array.<carillon.agent.v1.Breach.$Properties>} breaches
                 * @memberof carillon.agent.v1.AllocationFacts
                 * @instance
                 */
                AllocationFacts.prototype.breaches = $util.emptyArray;

                /**
                 * AllocationFacts tally.
                 * @member {carillon.agent.v1.CallTally.$Properties|null|undefined} tally
                 * @memberof carillon.agent.v1.AllocationFacts
                 * @instance
                 */
                AllocationFacts.prototype.tally = null;

                /**
                 * AllocationFacts rtpHeaders.
                 * @member {Array.<carillon.agent.v1.RtpHeaders.$Properties>} rtpHeaders
                 * @memberof carillon.agent.v1.AllocationFacts
                 * @instance
                 */
                AllocationFacts.prototype.rtpHeaders = $util.emptyArray;

                /**
                 * AllocationFacts messageBlocks.
                 * @member {Array.<carillon.agent.v1.MessageBlock.$Properties>} messageBlocks
                 * @memberof carillon.agent.v1.AllocationFacts
                 * @instance
                 */
                AllocationFacts.prototype.messageBlocks = $util.emptyArray;

                /**
                 * AllocationFacts progress.
                 * @member {carillon.agent.v1.Phases.$Properties|null|undefined} progress
                 * @memberof carillon.agent.v1.AllocationFacts
                 * @instance
                 */
                AllocationFacts.prototype.progress = null;

                /**
                 * AllocationFacts registrationEnds.
                 * @member {carillon.agent.v1.RegistrationEnds.$Properties|null|undefined} registrationEnds
                 * @memberof carillon.agent.v1.AllocationFacts
                 * @instance
                 */
                AllocationFacts.prototype.registrationEnds = null;

                /**
                 * AllocationFacts summedSamples.
                 * @member {carillon.agent.v1.Samples.$Properties|null|undefined} summedSamples
                 * @memberof carillon.agent.v1.AllocationFacts
                 * @instance
                 */
                AllocationFacts.prototype.summedSamples = null;

                /**
                 * AllocationFacts storedSamples.
                 * @member {carillon.agent.v1.Samples.$Properties|null|undefined} storedSamples
                 * @memberof carillon.agent.v1.AllocationFacts
                 * @instance
                 */
                AllocationFacts.prototype.storedSamples = null;

                /**
                 * Encodes the specified AllocationFacts message. Does not implicitly {@link carillon.agent.v1.AllocationFacts.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.AllocationFacts
                 * @static
                 * @param {carillon.agent.v1.AllocationFacts.$Properties} message AllocationFacts message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                AllocationFacts.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.allocationId != null && $Object.hasOwnProperty.call(message, "allocationId") && message.allocationId.length)
                        writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.allocationId);
                    if (message.baseUnixMs != null && $Object.hasOwnProperty.call(message, "baseUnixMs") && !$Object.is(message.baseUnixMs, 0))
                        writer.uint32(/* id 2, wireType 1 =*/17).double(message.baseUnixMs);
                    if (message.phases != null && $Object.hasOwnProperty.call(message, "phases"))
                        $root.carillon.agent.v1.Phases.encode(message.phases, writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
                    if (message.outcomes != null && message.outcomes.length)
                        for (let i = 0; i < message.outcomes.length; ++i)
                            $root.carillon.agent.v1.Outcome.encode(message.outcomes[i], writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
                    if (message.sipCounts != null && $Object.hasOwnProperty.call(message, "sipCounts"))
                        $root.carillon.agent.v1.SipCounts.encode(message.sipCounts, writer.uint32(/* id 5, wireType 2 =*/42).fork(), _depth + 1).ldelim();
                    if (message.messages != null && message.messages.length)
                        for (let i = 0; i < message.messages.length; ++i)
                            $root.carillon.agent.v1.MessageChunk.encode(message.messages[i], writer.uint32(/* id 6, wireType 2 =*/50).fork(), _depth + 1).ldelim();
                    if (message.samples != null && $Object.hasOwnProperty.call(message, "samples"))
                        $root.carillon.agent.v1.Samples.encode(message.samples, writer.uint32(/* id 7, wireType 2 =*/58).fork(), _depth + 1).ldelim();
                    if (message.streams != null && message.streams.length)
                        for (let i = 0; i < message.streams.length; ++i)
                            $root.carillon.agent.v1.StreamTotals.encode(message.streams[i], writer.uint32(/* id 8, wireType 2 =*/66).fork(), _depth + 1).ldelim();
                    if (message.startNoise != null && $Object.hasOwnProperty.call(message, "startNoise"))
                        $root.carillon.agent.v1.StartNoise.encode(message.startNoise, writer.uint32(/* id 9, wireType 2 =*/74).fork(), _depth + 1).ldelim();
                    if (message.state != null && $Object.hasOwnProperty.call(message, "state") && message.state !== 0)
                        writer.uint32(/* id 10, wireType 0 =*/80).int32(message.state);
                    if (message.reasonCode != null && $Object.hasOwnProperty.call(message, "reasonCode") && message.reasonCode !== "")
                        writer.uint32(/* id 11, wireType 2 =*/90).string(message.reasonCode);
                    if (message.reason != null && $Object.hasOwnProperty.call(message, "reason") && message.reason !== "")
                        writer.uint32(/* id 12, wireType 2 =*/98).string(message.reason);
                    if (message.actions != null && $Object.hasOwnProperty.call(message, "actions"))
                        $root.carillon.agent.v1.ActionsDone.encode(message.actions, writer.uint32(/* id 20, wireType 2 =*/162).fork(), _depth + 1).ldelim();
                    if (message.breaches != null && message.breaches.length)
                        for (let i = 0; i < message.breaches.length; ++i)
                            $root.carillon.agent.v1.Breach.encode(message.breaches[i], writer.uint32(/* id 21, wireType 2 =*/170).fork(), _depth + 1).ldelim();
                    if (message.tally != null && $Object.hasOwnProperty.call(message, "tally"))
                        $root.carillon.agent.v1.CallTally.encode(message.tally, writer.uint32(/* id 30, wireType 2 =*/242).fork(), _depth + 1).ldelim();
                    if (message.rtpHeaders != null && message.rtpHeaders.length)
                        for (let i = 0; i < message.rtpHeaders.length; ++i)
                            $root.carillon.agent.v1.RtpHeaders.encode(message.rtpHeaders[i], writer.uint32(/* id 31, wireType 2 =*/250).fork(), _depth + 1).ldelim();
                    if (message.messageBlocks != null && message.messageBlocks.length)
                        for (let i = 0; i < message.messageBlocks.length; ++i)
                            $root.carillon.agent.v1.MessageBlock.encode(message.messageBlocks[i], writer.uint32(/* id 32, wireType 2 =*/258).fork(), _depth + 1).ldelim();
                    if (message.progress != null && $Object.hasOwnProperty.call(message, "progress"))
                        $root.carillon.agent.v1.Phases.encode(message.progress, writer.uint32(/* id 33, wireType 2 =*/266).fork(), _depth + 1).ldelim();
                    if (message.registrationEnds != null && $Object.hasOwnProperty.call(message, "registrationEnds"))
                        $root.carillon.agent.v1.RegistrationEnds.encode(message.registrationEnds, writer.uint32(/* id 34, wireType 2 =*/274).fork(), _depth + 1).ldelim();
                    if (message.summedSamples != null && $Object.hasOwnProperty.call(message, "summedSamples"))
                        $root.carillon.agent.v1.Samples.encode(message.summedSamples, writer.uint32(/* id 35, wireType 2 =*/282).fork(), _depth + 1).ldelim();
                    if (message.storedSamples != null && $Object.hasOwnProperty.call(message, "storedSamples"))
                        $root.carillon.agent.v1.Samples.encode(message.storedSamples, writer.uint32(/* id 36, wireType 2 =*/290).fork(), _depth + 1).ldelim();
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes an AllocationFacts message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.AllocationFacts
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.AllocationFacts & carillon.agent.v1.AllocationFacts.$Shape} AllocationFacts
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                AllocationFacts.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.AllocationFacts();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.allocationId = value;
                                else
                                    delete message.allocationId;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.baseUnixMs = value;
                                else
                                    delete message.baseUnixMs;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                message.phases = $root.carillon.agent.v1.Phases.decode(reader, reader.size(), $undefined, _depth + 1, message.phases);
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.outcomes && message.outcomes.length))
                                    message.outcomes = [];
                                message.outcomes.push($root.carillon.agent.v1.Outcome.decode(reader, reader.size(), $undefined, _depth + 1));
                                continue;
                            }
                        case 5: {
                                if (wireType !== 2)
                                    break;
                                message.sipCounts = $root.carillon.agent.v1.SipCounts.decode(reader, reader.size(), $undefined, _depth + 1, message.sipCounts);
                                continue;
                            }
                        case 6: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.messages && message.messages.length))
                                    message.messages = [];
                                message.messages.push($root.carillon.agent.v1.MessageChunk.decode(reader, reader.size(), $undefined, _depth + 1));
                                continue;
                            }
                        case 7: {
                                if (wireType !== 2)
                                    break;
                                message.samples = $root.carillon.agent.v1.Samples.decode(reader, reader.size(), $undefined, _depth + 1, message.samples);
                                continue;
                            }
                        case 8: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.streams && message.streams.length))
                                    message.streams = [];
                                message.streams.push($root.carillon.agent.v1.StreamTotals.decode(reader, reader.size(), $undefined, _depth + 1));
                                continue;
                            }
                        case 9: {
                                if (wireType !== 2)
                                    break;
                                message.startNoise = $root.carillon.agent.v1.StartNoise.decode(reader, reader.size(), $undefined, _depth + 1, message.startNoise);
                                continue;
                            }
                        case 10: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.int32())
                                    message.state = value;
                                else
                                    delete message.state;
                                continue;
                            }
                        case 11: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.reasonCode = value;
                                else
                                    delete message.reasonCode;
                                continue;
                            }
                        case 12: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.reason = value;
                                else
                                    delete message.reason;
                                continue;
                            }
                        case 20: {
                                if (wireType !== 2)
                                    break;
                                message.actions = $root.carillon.agent.v1.ActionsDone.decode(reader, reader.size(), $undefined, _depth + 1, message.actions);
                                continue;
                            }
                        case 21: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.breaches && message.breaches.length))
                                    message.breaches = [];
                                message.breaches.push($root.carillon.agent.v1.Breach.decode(reader, reader.size(), $undefined, _depth + 1));
                                continue;
                            }
                        case 30: {
                                if (wireType !== 2)
                                    break;
                                message.tally = $root.carillon.agent.v1.CallTally.decode(reader, reader.size(), $undefined, _depth + 1, message.tally);
                                continue;
                            }
                        case 31: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.rtpHeaders && message.rtpHeaders.length))
                                    message.rtpHeaders = [];
                                message.rtpHeaders.push($root.carillon.agent.v1.RtpHeaders.decode(reader, reader.size(), $undefined, _depth + 1));
                                continue;
                            }
                        case 32: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.messageBlocks && message.messageBlocks.length))
                                    message.messageBlocks = [];
                                message.messageBlocks.push($root.carillon.agent.v1.MessageBlock.decode(reader, reader.size(), $undefined, _depth + 1));
                                continue;
                            }
                        case 33: {
                                if (wireType !== 2)
                                    break;
                                message.progress = $root.carillon.agent.v1.Phases.decode(reader, reader.size(), $undefined, _depth + 1, message.progress);
                                continue;
                            }
                        case 34: {
                                if (wireType !== 2)
                                    break;
                                message.registrationEnds = $root.carillon.agent.v1.RegistrationEnds.decode(reader, reader.size(), $undefined, _depth + 1, message.registrationEnds);
                                continue;
                            }
                        case 35: {
                                if (wireType !== 2)
                                    break;
                                message.summedSamples = $root.carillon.agent.v1.Samples.decode(reader, reader.size(), $undefined, _depth + 1, message.summedSamples);
                                continue;
                            }
                        case 36: {
                                if (wireType !== 2)
                                    break;
                                message.storedSamples = $root.carillon.agent.v1.Samples.decode(reader, reader.size(), $undefined, _depth + 1, message.storedSamples);
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return AllocationFacts;
            })();

            v1.RegistrationEnds = (function() {

                /**
                 * Properties of a RegistrationEnds.
                 * @typedef {Object} carillon.agent.v1.RegistrationEnds.$Properties
                 * @property {Array.<number>|null} [endpoint] RegistrationEnds endpoint
                 * @property {Array.<number>|null} [refreshes] RegistrationEnds refreshes
                 * @property {Array.<number>|null} [refreshFailures] RegistrationEnds refreshFailures
                 * @property {Array.<number>|null} [refreshLapses] RegistrationEnds refreshLapses
                 * @property {Array.<number>|null} [refreshRecoveries] RegistrationEnds refreshRecoveries
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a RegistrationEnds.
                 * @memberof carillon.agent.v1
                 * @interface IRegistrationEnds
                 * @augments carillon.agent.v1.RegistrationEnds.$Properties
                 * @deprecated Use carillon.agent.v1.RegistrationEnds.$Properties instead.
                 */

                /**
                 * Shape of a RegistrationEnds.
                 * @typedef {carillon.agent.v1.RegistrationEnds.$Properties} carillon.agent.v1.RegistrationEnds.$Shape
                 */

                /**
                 * Constructs a new RegistrationEnds.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a RegistrationEnds.
                 * @constructor
                 * @param {carillon.agent.v1.RegistrationEnds.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const RegistrationEnds = function (properties) {
                    this.endpoint = [];
                    this.refreshes = [];
                    this.refreshFailures = [];
                    this.refreshLapses = [];
                    this.refreshRecoveries = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * RegistrationEnds endpoint.
                 * @member {Array.<number>} endpoint
                 * @memberof carillon.agent.v1.RegistrationEnds
                 * @instance
                 */
                RegistrationEnds.prototype.endpoint = $util.emptyArray;

                /**
                 * RegistrationEnds refreshes.
                 * @member {Array.<number>} refreshes
                 * @memberof carillon.agent.v1.RegistrationEnds
                 * @instance
                 */
                RegistrationEnds.prototype.refreshes = $util.emptyArray;

                /**
                 * RegistrationEnds refreshFailures.
                 * @member {Array.<number>} refreshFailures
                 * @memberof carillon.agent.v1.RegistrationEnds
                 * @instance
                 */
                RegistrationEnds.prototype.refreshFailures = $util.emptyArray;

                /**
                 * RegistrationEnds refreshLapses.
                 * @member {Array.<number>} refreshLapses
                 * @memberof carillon.agent.v1.RegistrationEnds
                 * @instance
                 */
                RegistrationEnds.prototype.refreshLapses = $util.emptyArray;

                /**
                 * RegistrationEnds refreshRecoveries.
                 * @member {Array.<number>} refreshRecoveries
                 * @memberof carillon.agent.v1.RegistrationEnds
                 * @instance
                 */
                RegistrationEnds.prototype.refreshRecoveries = $util.emptyArray;

                /**
                 * Encodes the specified RegistrationEnds message. Does not implicitly {@link carillon.agent.v1.RegistrationEnds.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.RegistrationEnds
                 * @static
                 * @param {carillon.agent.v1.RegistrationEnds.$Properties} message RegistrationEnds message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                RegistrationEnds.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.endpoint != null && message.endpoint.length)
                        writer.uint32(/* id 1, wireType 2 =*/10).uint32s(message.endpoint);
                    if (message.refreshes != null && message.refreshes.length)
                        writer.uint32(/* id 2, wireType 2 =*/18).uint32s(message.refreshes);
                    if (message.refreshFailures != null && message.refreshFailures.length)
                        writer.uint32(/* id 3, wireType 2 =*/26).uint32s(message.refreshFailures);
                    if (message.refreshLapses != null && message.refreshLapses.length)
                        writer.uint32(/* id 4, wireType 2 =*/34).uint32s(message.refreshLapses);
                    if (message.refreshRecoveries != null && message.refreshRecoveries.length)
                        writer.uint32(/* id 5, wireType 2 =*/42).uint32s(message.refreshRecoveries);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a RegistrationEnds message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.RegistrationEnds
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.RegistrationEnds & carillon.agent.v1.RegistrationEnds.$Shape} RegistrationEnds
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                RegistrationEnds.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.RegistrationEnds();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType === 2) {
                                    if (!(message.endpoint && message.endpoint.length))
                                        message.endpoint = [];
                                    reader.uint32s(message.endpoint);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.endpoint && message.endpoint.length))
                                    message.endpoint = [];
                                message.endpoint.push(reader.uint32());
                                continue;
                            }
                        case 2: {
                                if (wireType === 2) {
                                    if (!(message.refreshes && message.refreshes.length))
                                        message.refreshes = [];
                                    reader.uint32s(message.refreshes);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.refreshes && message.refreshes.length))
                                    message.refreshes = [];
                                message.refreshes.push(reader.uint32());
                                continue;
                            }
                        case 3: {
                                if (wireType === 2) {
                                    if (!(message.refreshFailures && message.refreshFailures.length))
                                        message.refreshFailures = [];
                                    reader.uint32s(message.refreshFailures);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.refreshFailures && message.refreshFailures.length))
                                    message.refreshFailures = [];
                                message.refreshFailures.push(reader.uint32());
                                continue;
                            }
                        case 4: {
                                if (wireType === 2) {
                                    if (!(message.refreshLapses && message.refreshLapses.length))
                                        message.refreshLapses = [];
                                    reader.uint32s(message.refreshLapses);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.refreshLapses && message.refreshLapses.length))
                                    message.refreshLapses = [];
                                message.refreshLapses.push(reader.uint32());
                                continue;
                            }
                        case 5: {
                                if (wireType === 2) {
                                    if (!(message.refreshRecoveries && message.refreshRecoveries.length))
                                        message.refreshRecoveries = [];
                                    reader.uint32s(message.refreshRecoveries);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.refreshRecoveries && message.refreshRecoveries.length))
                                    message.refreshRecoveries = [];
                                message.refreshRecoveries.push(reader.uint32());
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return RegistrationEnds;
            })();

            v1.ActionsDone = (function() {

                /**
                 * Properties of an ActionsDone.
                 * @typedef {Object} carillon.agent.v1.ActionsDone.$Properties
                 * @property {Array.<number>|null} [endpoint] ActionsDone endpoint
                 * @property {Array.<boolean>|null} [failed] ActionsDone failed
                 * @property {Array.<string>|null} [detail] ActionsDone detail
                 * @property {Array.<number>|null} [atMs] ActionsDone atMs
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of an ActionsDone.
                 * @memberof carillon.agent.v1
                 * @interface IActionsDone
                 * @augments carillon.agent.v1.ActionsDone.$Properties
                 * @deprecated Use carillon.agent.v1.ActionsDone.$Properties instead.
                 */

                /**
                 * Shape of an ActionsDone.
                 * @typedef {carillon.agent.v1.ActionsDone.$Properties} carillon.agent.v1.ActionsDone.$Shape
                 */

                /**
                 * Constructs a new ActionsDone.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents an ActionsDone.
                 * @constructor
                 * @param {carillon.agent.v1.ActionsDone.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const ActionsDone = function (properties) {
                    this.endpoint = [];
                    this.failed = [];
                    this.detail = [];
                    this.atMs = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * ActionsDone endpoint.
                 * @member {Array.<number>} endpoint
                 * @memberof carillon.agent.v1.ActionsDone
                 * @instance
                 */
                ActionsDone.prototype.endpoint = $util.emptyArray;

                /**
                 * ActionsDone failed.
                 * @member {Array.<boolean>} failed
                 * @memberof carillon.agent.v1.ActionsDone
                 * @instance
                 */
                ActionsDone.prototype.failed = $util.emptyArray;

                /**
                 * ActionsDone detail.
                 * @member {Array.<string>} detail
                 * @memberof carillon.agent.v1.ActionsDone
                 * @instance
                 */
                ActionsDone.prototype.detail = $util.emptyArray;

                /**
                 * ActionsDone atMs.
                 * @member {Array.<number>} atMs
                 * @memberof carillon.agent.v1.ActionsDone
                 * @instance
                 */
                ActionsDone.prototype.atMs = $util.emptyArray;

                /**
                 * Encodes the specified ActionsDone message. Does not implicitly {@link carillon.agent.v1.ActionsDone.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.ActionsDone
                 * @static
                 * @param {carillon.agent.v1.ActionsDone.$Properties} message ActionsDone message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                ActionsDone.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.endpoint != null && message.endpoint.length)
                        writer.uint32(/* id 1, wireType 2 =*/10).uint32s(message.endpoint);
                    if (message.failed != null && message.failed.length)
                        writer.uint32(/* id 2, wireType 2 =*/18).bools(message.failed);
                    if (message.detail != null && message.detail.length)
                        for (let i = 0; i < message.detail.length; ++i)
                            writer.uint32(/* id 3, wireType 2 =*/26).string(message.detail[i]);
                    if (message.atMs != null && message.atMs.length)
                        writer.uint32(/* id 4, wireType 2 =*/34).floats(message.atMs);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes an ActionsDone message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.ActionsDone
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.ActionsDone & carillon.agent.v1.ActionsDone.$Shape} ActionsDone
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                ActionsDone.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.ActionsDone();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType === 2) {
                                    if (!(message.endpoint && message.endpoint.length))
                                        message.endpoint = [];
                                    reader.uint32s(message.endpoint);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.endpoint && message.endpoint.length))
                                    message.endpoint = [];
                                message.endpoint.push(reader.uint32());
                                continue;
                            }
                        case 2: {
                                if (wireType === 2) {
                                    if (!(message.failed && message.failed.length))
                                        message.failed = [];
                                    reader.bools(message.failed);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.failed && message.failed.length))
                                    message.failed = [];
                                message.failed.push(reader.bool());
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.detail && message.detail.length))
                                    message.detail = [];
                                message.detail.push(reader.stringVerify());
                                continue;
                            }
                        case 4: {
                                if (wireType === 2) {
                                    if (!(message.atMs && message.atMs.length))
                                        message.atMs = [];
                                    reader.floats(message.atMs);
                                    continue;
                                }
                                if (wireType !== 5)
                                    break;
                                if (!(message.atMs && message.atMs.length))
                                    message.atMs = [];
                                message.atMs.push(reader.float());
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return ActionsDone;
            })();

            v1.Breach = (function() {

                /**
                 * Properties of a Breach.
                 * @typedef {Object} carillon.agent.v1.Breach.$Properties
                 * @property {number|null} [atMs] Breach atMs
                 * @property {string|null} [reason] Breach reason
                 * @property {number|null} [untilUnixMs] Breach untilUnixMs
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Breach.
                 * @memberof carillon.agent.v1
                 * @interface IBreach
                 * @augments carillon.agent.v1.Breach.$Properties
                 * @deprecated Use carillon.agent.v1.Breach.$Properties instead.
                 */

                /**
                 * Shape of a Breach.
                 * @typedef {carillon.agent.v1.Breach.$Properties} carillon.agent.v1.Breach.$Shape
                 */

                /**
                 * Constructs a new Breach.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Breach.
                 * @constructor
                 * @param {carillon.agent.v1.Breach.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Breach = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Breach atMs.
                 * @member {number} atMs
                 * @memberof carillon.agent.v1.Breach
                 * @instance
                 */
                Breach.prototype.atMs = 0;

                /**
                 * Breach reason.
                 * @member {string} reason
                 * @memberof carillon.agent.v1.Breach
                 * @instance
                 */
                Breach.prototype.reason = "";

                /**
                 * Breach untilUnixMs.
                 * @member {number} untilUnixMs
                 * @memberof carillon.agent.v1.Breach
                 * @instance
                 */
                Breach.prototype.untilUnixMs = 0;

                /**
                 * Encodes the specified Breach message. Does not implicitly {@link carillon.agent.v1.Breach.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Breach
                 * @static
                 * @param {carillon.agent.v1.Breach.$Properties} message Breach message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Breach.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.atMs != null && $Object.hasOwnProperty.call(message, "atMs") && !$Object.is(message.atMs, 0))
                        writer.uint32(/* id 1, wireType 5 =*/13).float(message.atMs);
                    if (message.reason != null && $Object.hasOwnProperty.call(message, "reason") && message.reason !== "")
                        writer.uint32(/* id 2, wireType 2 =*/18).string(message.reason);
                    if (message.untilUnixMs != null && $Object.hasOwnProperty.call(message, "untilUnixMs") && !$Object.is(message.untilUnixMs, 0))
                        writer.uint32(/* id 3, wireType 1 =*/25).double(message.untilUnixMs);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Breach message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Breach
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Breach & carillon.agent.v1.Breach.$Shape} Breach
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Breach.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Breach();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.atMs = value;
                                else
                                    delete message.atMs;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.reason = value;
                                else
                                    delete message.reason;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.untilUnixMs = value;
                                else
                                    delete message.untilUnixMs;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Breach;
            })();

            v1.CallTally = (function() {

                /**
                 * Properties of a CallTally.
                 * @typedef {Object} carillon.agent.v1.CallTally.$Properties
                 * @property {Array.<number>|null} [atMs] CallTally atMs
                 * @property {Array.<number>|null} [calls] CallTally calls
                 * @property {Array.<number>|null} [failures] CallTally failures
                 * @property {Array.<number>|null} [blocked] CallTally blocked
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a CallTally.
                 * @memberof carillon.agent.v1
                 * @interface ICallTally
                 * @augments carillon.agent.v1.CallTally.$Properties
                 * @deprecated Use carillon.agent.v1.CallTally.$Properties instead.
                 */

                /**
                 * Shape of a CallTally.
                 * @typedef {carillon.agent.v1.CallTally.$Properties} carillon.agent.v1.CallTally.$Shape
                 */

                /**
                 * Constructs a new CallTally.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a CallTally.
                 * @constructor
                 * @param {carillon.agent.v1.CallTally.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const CallTally = function (properties) {
                    this.atMs = [];
                    this.calls = [];
                    this.failures = [];
                    this.blocked = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * CallTally atMs.
                 * @member {Array.<number>} atMs
                 * @memberof carillon.agent.v1.CallTally
                 * @instance
                 */
                CallTally.prototype.atMs = $util.emptyArray;

                /**
                 * CallTally calls.
                 * @member {Array.<number>} calls
                 * @memberof carillon.agent.v1.CallTally
                 * @instance
                 */
                CallTally.prototype.calls = $util.emptyArray;

                /**
                 * CallTally failures.
                 * @member {Array.<number>} failures
                 * @memberof carillon.agent.v1.CallTally
                 * @instance
                 */
                CallTally.prototype.failures = $util.emptyArray;

                /**
                 * CallTally blocked.
                 * @member {Array.<number>} blocked
                 * @memberof carillon.agent.v1.CallTally
                 * @instance
                 */
                CallTally.prototype.blocked = $util.emptyArray;

                /**
                 * Encodes the specified CallTally message. Does not implicitly {@link carillon.agent.v1.CallTally.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.CallTally
                 * @static
                 * @param {carillon.agent.v1.CallTally.$Properties} message CallTally message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                CallTally.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.atMs != null && message.atMs.length)
                        writer.uint32(/* id 1, wireType 2 =*/10).floats(message.atMs);
                    if (message.calls != null && message.calls.length)
                        writer.uint32(/* id 2, wireType 2 =*/18).uint32s(message.calls);
                    if (message.failures != null && message.failures.length)
                        writer.uint32(/* id 3, wireType 2 =*/26).uint32s(message.failures);
                    if (message.blocked != null && message.blocked.length)
                        writer.uint32(/* id 4, wireType 2 =*/34).uint32s(message.blocked);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a CallTally message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.CallTally
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.CallTally & carillon.agent.v1.CallTally.$Shape} CallTally
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                CallTally.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.CallTally();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType === 2) {
                                    if (!(message.atMs && message.atMs.length))
                                        message.atMs = [];
                                    reader.floats(message.atMs);
                                    continue;
                                }
                                if (wireType !== 5)
                                    break;
                                if (!(message.atMs && message.atMs.length))
                                    message.atMs = [];
                                message.atMs.push(reader.float());
                                continue;
                            }
                        case 2: {
                                if (wireType === 2) {
                                    if (!(message.calls && message.calls.length))
                                        message.calls = [];
                                    reader.uint32s(message.calls);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.calls && message.calls.length))
                                    message.calls = [];
                                message.calls.push(reader.uint32());
                                continue;
                            }
                        case 3: {
                                if (wireType === 2) {
                                    if (!(message.failures && message.failures.length))
                                        message.failures = [];
                                    reader.uint32s(message.failures);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.failures && message.failures.length))
                                    message.failures = [];
                                message.failures.push(reader.uint32());
                                continue;
                            }
                        case 4: {
                                if (wireType === 2) {
                                    if (!(message.blocked && message.blocked.length))
                                        message.blocked = [];
                                    reader.uint32s(message.blocked);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.blocked && message.blocked.length))
                                    message.blocked = [];
                                message.blocked.push(reader.uint32());
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return CallTally;
            })();

            /**
             * Phase enum.
             * @name carillon.agent.v1.Phase
             * @enum {number}
             * @property {number} INITIALIZING=0 INITIALIZING value
             * @property {number} REGISTERED=1 REGISTERED value
             * @property {number} CALLING=2 CALLING value
             * @property {number} RINGING=3 RINGING value
             * @property {number} NEGOTIATING=4 NEGOTIATING value
             * @property {number} INCALL=5 INCALL value
             * @property {number} DISCONNECTING=6 DISCONNECTING value
             * @property {number} CLOSED=7 CLOSED value
             */
            v1.Phase = (function() {
                const valuesById = $Object.create(null), values = $Object.create(valuesById);
                values[valuesById[0] = "INITIALIZING"] = 0;
                values[valuesById[1] = "REGISTERED"] = 1;
                values[valuesById[2] = "CALLING"] = 2;
                values[valuesById[3] = "RINGING"] = 3;
                values[valuesById[4] = "NEGOTIATING"] = 4;
                values[valuesById[5] = "INCALL"] = 5;
                values[valuesById[6] = "DISCONNECTING"] = 6;
                values[valuesById[7] = "CLOSED"] = 7;
                return values;
            })();

            v1.Phases = (function() {

                /**
                 * Properties of a Phases.
                 * @typedef {Object} carillon.agent.v1.Phases.$Properties
                 * @property {Array.<number>|null} [endpoint] Phases endpoint
                 * @property {Array.<carillon.agent.v1.Phase>|null} [phase] Phases phase
                 * @property {Array.<number>|null} [atMs] Phases atMs
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Phases.
                 * @memberof carillon.agent.v1
                 * @interface IPhases
                 * @augments carillon.agent.v1.Phases.$Properties
                 * @deprecated Use carillon.agent.v1.Phases.$Properties instead.
                 */

                /**
                 * Shape of a Phases.
                 * @typedef {carillon.agent.v1.Phases.$Properties} carillon.agent.v1.Phases.$Shape
                 */

                /**
                 * Constructs a new Phases.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Phases.
                 * @constructor
                 * @param {carillon.agent.v1.Phases.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Phases = function (properties) {
                    this.endpoint = [];
                    this.phase = [];
                    this.atMs = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Phases endpoint.
                 * @member {Array.<number>} endpoint
                 * @memberof carillon.agent.v1.Phases
                 * @instance
                 */
                Phases.prototype.endpoint = $util.emptyArray;

                /**
                 * Phases phase.
                 * @member {Array.<carillon.agent.v1.Phase>} phase
                 * @memberof carillon.agent.v1.Phases
                 * @instance
                 */
                Phases.prototype.phase = $util.emptyArray;

                /**
                 * Phases atMs.
                 * @member {Array.<number>} atMs
                 * @memberof carillon.agent.v1.Phases
                 * @instance
                 */
                Phases.prototype.atMs = $util.emptyArray;

                /**
                 * Encodes the specified Phases message. Does not implicitly {@link carillon.agent.v1.Phases.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Phases
                 * @static
                 * @param {carillon.agent.v1.Phases.$Properties} message Phases message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Phases.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.endpoint != null && message.endpoint.length)
                        writer.uint32(/* id 1, wireType 2 =*/10).uint32s(message.endpoint);
                    if (message.phase != null && message.phase.length)
                        writer.uint32(/* id 2, wireType 2 =*/18).int32s(message.phase);
                    if (message.atMs != null && message.atMs.length)
                        writer.uint32(/* id 3, wireType 2 =*/26).floats(message.atMs);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Phases message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Phases
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Phases & carillon.agent.v1.Phases.$Shape} Phases
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Phases.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Phases();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType === 2) {
                                    if (!(message.endpoint && message.endpoint.length))
                                        message.endpoint = [];
                                    reader.uint32s(message.endpoint);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.endpoint && message.endpoint.length))
                                    message.endpoint = [];
                                message.endpoint.push(reader.uint32());
                                continue;
                            }
                        case 2: {
                                if (wireType === 2) {
                                    if (!(message.phase && message.phase.length))
                                        message.phase = [];
                                    reader.int32s(message.phase);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.phase && message.phase.length))
                                    message.phase = [];
                                message.phase.push(reader.int32());
                                continue;
                            }
                        case 3: {
                                if (wireType === 2) {
                                    if (!(message.atMs && message.atMs.length))
                                        message.atMs = [];
                                    reader.floats(message.atMs);
                                    continue;
                                }
                                if (wireType !== 5)
                                    break;
                                if (!(message.atMs && message.atMs.length))
                                    message.atMs = [];
                                message.atMs.push(reader.float());
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Phases;
            })();

            v1.Outcome = (function() {

                /**
                 * Properties of an Outcome.
                 * @typedef {Object} carillon.agent.v1.Outcome.$Properties
                 * @property {number|null} [endpoint] Outcome endpoint
                 * @property {string|null} [outcome] Outcome outcome
                 * @property {string|null} [cause] Outcome cause
                 * @property {string|null} [causeText] Outcome causeText
                 * @property {number|null} [sipStatus] Outcome sipStatus
                 * @property {boolean|null} [attempted] Outcome attempted
                 * @property {string|null} [callResult] Outcome callResult
                 * @property {number|null} [finalStatus] Outcome finalStatus
                 * @property {string|null} [finalReason] Outcome finalReason
                 * @property {boolean|null} [rang] Outcome rang
                 * @property {string|null} [calleeUri] Outcome calleeUri
                 * @property {string|null} [callId] Outcome callId
                 * @property {number|null} [timeToTryingMs] Outcome timeToTryingMs
                 * @property {number|null} [timeToRingingMs] Outcome timeToRingingMs
                 * @property {number|null} [pddMs] Outcome pddMs
                 * @property {number|null} [callSetupMs] Outcome callSetupMs
                 * @property {number|null} [timeToFirstMediaMs] Outcome timeToFirstMediaMs
                 * @property {number|null} [callDurationMs] Outcome callDurationMs
                 * @property {number|null} [registerRttMs] Outcome registerRttMs
                 * @property {number|null} [inviteLateMs] Outcome inviteLateMs
                 * @property {number|null} [plannedUnixMs] Outcome plannedUnixMs
                 * @property {string|null} [endedBy] Outcome endedBy
                 * @property {number|null} [byeRttMs] Outcome byeRttMs
                 * @property {number|null} [timeToEarlyMediaMs] Outcome timeToEarlyMediaMs
                 * @property {number|null} [dnsMs] Outcome dnsMs
                 * @property {number|null} [failovers] Outcome failovers
                 * @property {number|null} [peerEndpoint] Outcome peerEndpoint
                 * @property {number|null} [connectMs] Outcome connectMs
                 * @property {number|null} [tlsMs] Outcome tlsMs
                 * @property {string|null} [tls] Outcome tls
                 * @property {number|null} [refreshes] Outcome refreshes
                 * @property {number|null} [refreshFailures] Outcome refreshFailures
                 * @property {number|null} [refreshLapses] Outcome refreshLapses
                 * @property {number|null} [refreshRecoveries] Outcome refreshRecoveries
                 * @property {Array.<carillon.agent.v1.Finding.$Properties>|null} [findings] Outcome findings
                 * @property {number|null} [q850] Outcome q850
                 * @property {string|null} [reasonText] Outcome reasonText
                 * @property {string|null} [warning] Outcome warning
                 * @property {number|null} [retryAfterSeconds] Outcome retryAfterSeconds
                 * @property {number|null} [awaitedMs] Outcome awaitedMs
                 * @property {number|null} [absentMs] Outcome absentMs
                 * @property {number|null} [ringDurationMs] Outcome ringDurationMs
                 * @property {boolean|null} [kept] Outcome kept
                 * @property {number|null} [optionsRttMs] Outcome optionsRttMs
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of an Outcome.
                 * @memberof carillon.agent.v1
                 * @interface IOutcome
                 * @augments carillon.agent.v1.Outcome.$Properties
                 * @deprecated Use carillon.agent.v1.Outcome.$Properties instead.
                 */

                /**
                 * Shape of an Outcome.
                 * @typedef {carillon.agent.v1.Outcome.$Properties} carillon.agent.v1.Outcome.$Shape
                 */

                /**
                 * Constructs a new Outcome.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents an Outcome.
                 * @constructor
                 * @param {carillon.agent.v1.Outcome.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Outcome = function (properties) {
                    this.findings = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Outcome endpoint.
                 * @member {number} endpoint
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.endpoint = 0;

                /**
                 * Outcome outcome.
                 * @member {string} outcome
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.outcome = "";

                /**
                 * Outcome cause.
                 * @member {string} cause
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.cause = "";

                /**
                 * Outcome causeText.
                 * @member {string} causeText
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.causeText = "";

                /**
                 * Outcome sipStatus.
                 * @member {number} sipStatus
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.sipStatus = 0;

                /**
                 * Outcome attempted.
                 * @member {boolean} attempted
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.attempted = false;

                /**
                 * Outcome callResult.
                 * @member {string} callResult
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.callResult = "";

                /**
                 * Outcome finalStatus.
                 * @member {number} finalStatus
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.finalStatus = 0;

                /**
                 * Outcome finalReason.
                 * @member {string} finalReason
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.finalReason = "";

                /**
                 * Outcome rang.
                 * @member {boolean} rang
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.rang = false;

                /**
                 * Outcome calleeUri.
                 * @member {string} calleeUri
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.calleeUri = "";

                /**
                 * Outcome callId.
                 * @member {string} callId
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.callId = "";

                /**
                 * Outcome timeToTryingMs.
                 * @member {number} timeToTryingMs
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.timeToTryingMs = 0;

                /**
                 * Outcome timeToRingingMs.
                 * @member {number} timeToRingingMs
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.timeToRingingMs = 0;

                /**
                 * Outcome pddMs.
                 * @member {number} pddMs
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.pddMs = 0;

                /**
                 * Outcome callSetupMs.
                 * @member {number} callSetupMs
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.callSetupMs = 0;

                /**
                 * Outcome timeToFirstMediaMs.
                 * @member {number} timeToFirstMediaMs
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.timeToFirstMediaMs = 0;

                /**
                 * Outcome callDurationMs.
                 * @member {number} callDurationMs
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.callDurationMs = 0;

                /**
                 * Outcome registerRttMs.
                 * @member {number} registerRttMs
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.registerRttMs = 0;

                /**
                 * Outcome inviteLateMs.
                 * @member {number} inviteLateMs
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.inviteLateMs = 0;

                /**
                 * Outcome plannedUnixMs.
                 * @member {number} plannedUnixMs
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.plannedUnixMs = 0;

                /**
                 * Outcome endedBy.
                 * @member {string} endedBy
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.endedBy = "";

                /**
                 * Outcome byeRttMs.
                 * @member {number} byeRttMs
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.byeRttMs = 0;

                /**
                 * Outcome timeToEarlyMediaMs.
                 * @member {number|null|undefined} timeToEarlyMediaMs
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.timeToEarlyMediaMs = null;

                /**
                 * Outcome dnsMs.
                 * @member {number|null|undefined} dnsMs
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.dnsMs = null;

                /**
                 * Outcome failovers.
                 * @member {number} failovers
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.failovers = 0;

                /**
                 * Outcome peerEndpoint.
                 * @member {number|null|undefined} peerEndpoint
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.peerEndpoint = null;

                /**
                 * Outcome connectMs.
                 * @member {number|null|undefined} connectMs
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.connectMs = null;

                /**
                 * Outcome tlsMs.
                 * @member {number|null|undefined} tlsMs
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.tlsMs = null;

                /**
                 * Outcome tls.
                 * @member {string} tls
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.tls = "";

                /**
                 * Outcome refreshes.
                 * @member {number|null|undefined} refreshes
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.refreshes = null;

                /**
                 * Outcome refreshFailures.
                 * @member {number|null|undefined} refreshFailures
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.refreshFailures = null;

                /**
                 * Outcome refreshLapses.
                 * @member {number|null|undefined} refreshLapses
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.refreshLapses = null;

                /**
                 * Outcome refreshRecoveries.
                 * @member {number|null|undefined} refreshRecoveries
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.refreshRecoveries = null;

                /**
                 * Outcome findings.
                 * @member {Array.<carillon.agent.v1.Finding.$Properties>} findings
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.findings = $util.emptyArray;

                /**
                 * Outcome q850.
                 * @member {number} q850
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.q850 = 0;

                /**
                 * Outcome reasonText.
                 * @member {string} reasonText
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.reasonText = "";

                /**
                 * Outcome warning.
                 * @member {string} warning
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.warning = "";

                /**
                 * Outcome retryAfterSeconds.
                 * @member {number} retryAfterSeconds
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.retryAfterSeconds = 0;

                /**
                 * Outcome awaitedMs.
                 * @member {number} awaitedMs
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.awaitedMs = 0;

                /**
                 * Outcome absentMs.
                 * @member {number} absentMs
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.absentMs = 0;

                /**
                 * Outcome ringDurationMs.
                 * @member {number|null|undefined} ringDurationMs
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.ringDurationMs = null;

                /**
                 * Outcome kept.
                 * @member {boolean|null|undefined} kept
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.kept = null;

                /**
                 * Outcome optionsRttMs.
                 * @member {number|null|undefined} optionsRttMs
                 * @memberof carillon.agent.v1.Outcome
                 * @instance
                 */
                Outcome.prototype.optionsRttMs = null;

                // OneOf field names bound to virtual getters and setters
                let $oneOfFields;

                // Virtual OneOf for proto3 optional field
                $Object.defineProperty(Outcome.prototype, "_timeToEarlyMediaMs", {
                    get: $util.oneOfGetter($oneOfFields = ["timeToEarlyMediaMs"]),
                    set: $util.oneOfSetter($oneOfFields)
                });

                // Virtual OneOf for proto3 optional field
                $Object.defineProperty(Outcome.prototype, "_dnsMs", {
                    get: $util.oneOfGetter($oneOfFields = ["dnsMs"]),
                    set: $util.oneOfSetter($oneOfFields)
                });

                // Virtual OneOf for proto3 optional field
                $Object.defineProperty(Outcome.prototype, "_peerEndpoint", {
                    get: $util.oneOfGetter($oneOfFields = ["peerEndpoint"]),
                    set: $util.oneOfSetter($oneOfFields)
                });

                // Virtual OneOf for proto3 optional field
                $Object.defineProperty(Outcome.prototype, "_connectMs", {
                    get: $util.oneOfGetter($oneOfFields = ["connectMs"]),
                    set: $util.oneOfSetter($oneOfFields)
                });

                // Virtual OneOf for proto3 optional field
                $Object.defineProperty(Outcome.prototype, "_tlsMs", {
                    get: $util.oneOfGetter($oneOfFields = ["tlsMs"]),
                    set: $util.oneOfSetter($oneOfFields)
                });

                // Virtual OneOf for proto3 optional field
                $Object.defineProperty(Outcome.prototype, "_refreshes", {
                    get: $util.oneOfGetter($oneOfFields = ["refreshes"]),
                    set: $util.oneOfSetter($oneOfFields)
                });

                // Virtual OneOf for proto3 optional field
                $Object.defineProperty(Outcome.prototype, "_refreshFailures", {
                    get: $util.oneOfGetter($oneOfFields = ["refreshFailures"]),
                    set: $util.oneOfSetter($oneOfFields)
                });

                // Virtual OneOf for proto3 optional field
                $Object.defineProperty(Outcome.prototype, "_refreshLapses", {
                    get: $util.oneOfGetter($oneOfFields = ["refreshLapses"]),
                    set: $util.oneOfSetter($oneOfFields)
                });

                // Virtual OneOf for proto3 optional field
                $Object.defineProperty(Outcome.prototype, "_refreshRecoveries", {
                    get: $util.oneOfGetter($oneOfFields = ["refreshRecoveries"]),
                    set: $util.oneOfSetter($oneOfFields)
                });

                // Virtual OneOf for proto3 optional field
                $Object.defineProperty(Outcome.prototype, "_ringDurationMs", {
                    get: $util.oneOfGetter($oneOfFields = ["ringDurationMs"]),
                    set: $util.oneOfSetter($oneOfFields)
                });

                // Virtual OneOf for proto3 optional field
                $Object.defineProperty(Outcome.prototype, "_kept", {
                    get: $util.oneOfGetter($oneOfFields = ["kept"]),
                    set: $util.oneOfSetter($oneOfFields)
                });

                // Virtual OneOf for proto3 optional field
                $Object.defineProperty(Outcome.prototype, "_optionsRttMs", {
                    get: $util.oneOfGetter($oneOfFields = ["optionsRttMs"]),
                    set: $util.oneOfSetter($oneOfFields)
                });

                /**
                 * Encodes the specified Outcome message. Does not implicitly {@link carillon.agent.v1.Outcome.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Outcome
                 * @static
                 * @param {carillon.agent.v1.Outcome.$Properties} message Outcome message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Outcome.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.endpoint != null && $Object.hasOwnProperty.call(message, "endpoint") && message.endpoint !== 0)
                        writer.uint32(/* id 1, wireType 0 =*/8).uint32(message.endpoint);
                    if (message.outcome != null && $Object.hasOwnProperty.call(message, "outcome") && message.outcome !== "")
                        writer.uint32(/* id 2, wireType 2 =*/18).string(message.outcome);
                    if (message.cause != null && $Object.hasOwnProperty.call(message, "cause") && message.cause !== "")
                        writer.uint32(/* id 3, wireType 2 =*/26).string(message.cause);
                    if (message.causeText != null && $Object.hasOwnProperty.call(message, "causeText") && message.causeText !== "")
                        writer.uint32(/* id 4, wireType 2 =*/34).string(message.causeText);
                    if (message.sipStatus != null && $Object.hasOwnProperty.call(message, "sipStatus") && message.sipStatus !== 0)
                        writer.uint32(/* id 5, wireType 0 =*/40).uint32(message.sipStatus);
                    if (message.attempted != null && $Object.hasOwnProperty.call(message, "attempted") && message.attempted !== false)
                        writer.uint32(/* id 6, wireType 0 =*/48).bool(message.attempted);
                    if (message.callResult != null && $Object.hasOwnProperty.call(message, "callResult") && message.callResult !== "")
                        writer.uint32(/* id 7, wireType 2 =*/58).string(message.callResult);
                    if (message.finalStatus != null && $Object.hasOwnProperty.call(message, "finalStatus") && message.finalStatus !== 0)
                        writer.uint32(/* id 8, wireType 0 =*/64).uint32(message.finalStatus);
                    if (message.finalReason != null && $Object.hasOwnProperty.call(message, "finalReason") && message.finalReason !== "")
                        writer.uint32(/* id 9, wireType 2 =*/74).string(message.finalReason);
                    if (message.rang != null && $Object.hasOwnProperty.call(message, "rang") && message.rang !== false)
                        writer.uint32(/* id 10, wireType 0 =*/80).bool(message.rang);
                    if (message.calleeUri != null && $Object.hasOwnProperty.call(message, "calleeUri") && message.calleeUri !== "")
                        writer.uint32(/* id 11, wireType 2 =*/90).string(message.calleeUri);
                    if (message.callId != null && $Object.hasOwnProperty.call(message, "callId") && message.callId !== "")
                        writer.uint32(/* id 12, wireType 2 =*/98).string(message.callId);
                    if (message.timeToTryingMs != null && $Object.hasOwnProperty.call(message, "timeToTryingMs") && !$Object.is(message.timeToTryingMs, 0))
                        writer.uint32(/* id 13, wireType 5 =*/109).float(message.timeToTryingMs);
                    if (message.timeToRingingMs != null && $Object.hasOwnProperty.call(message, "timeToRingingMs") && !$Object.is(message.timeToRingingMs, 0))
                        writer.uint32(/* id 14, wireType 5 =*/117).float(message.timeToRingingMs);
                    if (message.pddMs != null && $Object.hasOwnProperty.call(message, "pddMs") && !$Object.is(message.pddMs, 0))
                        writer.uint32(/* id 15, wireType 5 =*/125).float(message.pddMs);
                    if (message.callSetupMs != null && $Object.hasOwnProperty.call(message, "callSetupMs") && !$Object.is(message.callSetupMs, 0))
                        writer.uint32(/* id 16, wireType 5 =*/133).float(message.callSetupMs);
                    if (message.timeToFirstMediaMs != null && $Object.hasOwnProperty.call(message, "timeToFirstMediaMs") && !$Object.is(message.timeToFirstMediaMs, 0))
                        writer.uint32(/* id 17, wireType 5 =*/141).float(message.timeToFirstMediaMs);
                    if (message.callDurationMs != null && $Object.hasOwnProperty.call(message, "callDurationMs") && !$Object.is(message.callDurationMs, 0))
                        writer.uint32(/* id 18, wireType 5 =*/149).float(message.callDurationMs);
                    if (message.registerRttMs != null && $Object.hasOwnProperty.call(message, "registerRttMs") && !$Object.is(message.registerRttMs, 0))
                        writer.uint32(/* id 19, wireType 5 =*/157).float(message.registerRttMs);
                    if (message.inviteLateMs != null && $Object.hasOwnProperty.call(message, "inviteLateMs") && !$Object.is(message.inviteLateMs, 0))
                        writer.uint32(/* id 20, wireType 5 =*/165).float(message.inviteLateMs);
                    if (message.plannedUnixMs != null && $Object.hasOwnProperty.call(message, "plannedUnixMs") && !$Object.is(message.plannedUnixMs, 0))
                        writer.uint32(/* id 21, wireType 1 =*/169).double(message.plannedUnixMs);
                    if (message.endedBy != null && $Object.hasOwnProperty.call(message, "endedBy") && message.endedBy !== "")
                        writer.uint32(/* id 22, wireType 2 =*/178).string(message.endedBy);
                    if (message.byeRttMs != null && $Object.hasOwnProperty.call(message, "byeRttMs") && !$Object.is(message.byeRttMs, 0))
                        writer.uint32(/* id 23, wireType 5 =*/189).float(message.byeRttMs);
                    if (message.timeToEarlyMediaMs != null && $Object.hasOwnProperty.call(message, "timeToEarlyMediaMs"))
                        writer.uint32(/* id 24, wireType 5 =*/197).float(message.timeToEarlyMediaMs);
                    if (message.dnsMs != null && $Object.hasOwnProperty.call(message, "dnsMs"))
                        writer.uint32(/* id 25, wireType 5 =*/205).float(message.dnsMs);
                    if (message.failovers != null && $Object.hasOwnProperty.call(message, "failovers") && message.failovers !== 0)
                        writer.uint32(/* id 26, wireType 0 =*/208).uint32(message.failovers);
                    if (message.optionsRttMs != null && $Object.hasOwnProperty.call(message, "optionsRttMs"))
                        writer.uint32(/* id 27, wireType 5 =*/221).float(message.optionsRttMs);
                    if (message.peerEndpoint != null && $Object.hasOwnProperty.call(message, "peerEndpoint"))
                        writer.uint32(/* id 28, wireType 0 =*/224).uint32(message.peerEndpoint);
                    if (message.connectMs != null && $Object.hasOwnProperty.call(message, "connectMs"))
                        writer.uint32(/* id 30, wireType 5 =*/245).float(message.connectMs);
                    if (message.tlsMs != null && $Object.hasOwnProperty.call(message, "tlsMs"))
                        writer.uint32(/* id 31, wireType 5 =*/253).float(message.tlsMs);
                    if (message.tls != null && $Object.hasOwnProperty.call(message, "tls") && message.tls !== "")
                        writer.uint32(/* id 32, wireType 2 =*/258).string(message.tls);
                    if (message.refreshes != null && $Object.hasOwnProperty.call(message, "refreshes"))
                        writer.uint32(/* id 33, wireType 0 =*/264).uint32(message.refreshes);
                    if (message.refreshFailures != null && $Object.hasOwnProperty.call(message, "refreshFailures"))
                        writer.uint32(/* id 34, wireType 0 =*/272).uint32(message.refreshFailures);
                    if (message.refreshLapses != null && $Object.hasOwnProperty.call(message, "refreshLapses"))
                        writer.uint32(/* id 35, wireType 0 =*/280).uint32(message.refreshLapses);
                    if (message.refreshRecoveries != null && $Object.hasOwnProperty.call(message, "refreshRecoveries"))
                        writer.uint32(/* id 36, wireType 0 =*/288).uint32(message.refreshRecoveries);
                    if (message.findings != null && message.findings.length)
                        for (let i = 0; i < message.findings.length; ++i)
                            $root.carillon.agent.v1.Finding.encode(message.findings[i], writer.uint32(/* id 37, wireType 2 =*/298).fork(), _depth + 1).ldelim();
                    if (message.q850 != null && $Object.hasOwnProperty.call(message, "q850") && message.q850 !== 0)
                        writer.uint32(/* id 38, wireType 0 =*/304).uint32(message.q850);
                    if (message.reasonText != null && $Object.hasOwnProperty.call(message, "reasonText") && message.reasonText !== "")
                        writer.uint32(/* id 39, wireType 2 =*/314).string(message.reasonText);
                    if (message.warning != null && $Object.hasOwnProperty.call(message, "warning") && message.warning !== "")
                        writer.uint32(/* id 40, wireType 2 =*/322).string(message.warning);
                    if (message.retryAfterSeconds != null && $Object.hasOwnProperty.call(message, "retryAfterSeconds") && message.retryAfterSeconds !== 0)
                        writer.uint32(/* id 41, wireType 0 =*/328).uint32(message.retryAfterSeconds);
                    if (message.awaitedMs != null && $Object.hasOwnProperty.call(message, "awaitedMs") && !$Object.is(message.awaitedMs, 0))
                        writer.uint32(/* id 42, wireType 5 =*/341).float(message.awaitedMs);
                    if (message.absentMs != null && $Object.hasOwnProperty.call(message, "absentMs") && !$Object.is(message.absentMs, 0))
                        writer.uint32(/* id 43, wireType 5 =*/349).float(message.absentMs);
                    if (message.ringDurationMs != null && $Object.hasOwnProperty.call(message, "ringDurationMs"))
                        writer.uint32(/* id 44, wireType 5 =*/357).float(message.ringDurationMs);
                    if (message.kept != null && $Object.hasOwnProperty.call(message, "kept"))
                        writer.uint32(/* id 45, wireType 0 =*/360).bool(message.kept);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes an Outcome message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Outcome
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Outcome & carillon.agent.v1.Outcome.$Shape} Outcome
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Outcome.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Outcome();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.endpoint = value;
                                else
                                    delete message.endpoint;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.outcome = value;
                                else
                                    delete message.outcome;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.cause = value;
                                else
                                    delete message.cause;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.causeText = value;
                                else
                                    delete message.causeText;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.sipStatus = value;
                                else
                                    delete message.sipStatus;
                                continue;
                            }
                        case 6: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.attempted = value;
                                else
                                    delete message.attempted;
                                continue;
                            }
                        case 7: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.callResult = value;
                                else
                                    delete message.callResult;
                                continue;
                            }
                        case 8: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.finalStatus = value;
                                else
                                    delete message.finalStatus;
                                continue;
                            }
                        case 9: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.finalReason = value;
                                else
                                    delete message.finalReason;
                                continue;
                            }
                        case 10: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.rang = value;
                                else
                                    delete message.rang;
                                continue;
                            }
                        case 11: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.calleeUri = value;
                                else
                                    delete message.calleeUri;
                                continue;
                            }
                        case 12: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.callId = value;
                                else
                                    delete message.callId;
                                continue;
                            }
                        case 13: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.timeToTryingMs = value;
                                else
                                    delete message.timeToTryingMs;
                                continue;
                            }
                        case 14: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.timeToRingingMs = value;
                                else
                                    delete message.timeToRingingMs;
                                continue;
                            }
                        case 15: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.pddMs = value;
                                else
                                    delete message.pddMs;
                                continue;
                            }
                        case 16: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.callSetupMs = value;
                                else
                                    delete message.callSetupMs;
                                continue;
                            }
                        case 17: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.timeToFirstMediaMs = value;
                                else
                                    delete message.timeToFirstMediaMs;
                                continue;
                            }
                        case 18: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.callDurationMs = value;
                                else
                                    delete message.callDurationMs;
                                continue;
                            }
                        case 19: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.registerRttMs = value;
                                else
                                    delete message.registerRttMs;
                                continue;
                            }
                        case 20: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.inviteLateMs = value;
                                else
                                    delete message.inviteLateMs;
                                continue;
                            }
                        case 21: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.plannedUnixMs = value;
                                else
                                    delete message.plannedUnixMs;
                                continue;
                            }
                        case 22: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.endedBy = value;
                                else
                                    delete message.endedBy;
                                continue;
                            }
                        case 23: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.byeRttMs = value;
                                else
                                    delete message.byeRttMs;
                                continue;
                            }
                        case 24: {
                                if (wireType !== 5)
                                    break;
                                message.timeToEarlyMediaMs = reader.float();
                                message._timeToEarlyMediaMs = "timeToEarlyMediaMs";
                                continue;
                            }
                        case 25: {
                                if (wireType !== 5)
                                    break;
                                message.dnsMs = reader.float();
                                message._dnsMs = "dnsMs";
                                continue;
                            }
                        case 26: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.failovers = value;
                                else
                                    delete message.failovers;
                                continue;
                            }
                        case 28: {
                                if (wireType !== 0)
                                    break;
                                message.peerEndpoint = reader.uint32();
                                message._peerEndpoint = "peerEndpoint";
                                continue;
                            }
                        case 30: {
                                if (wireType !== 5)
                                    break;
                                message.connectMs = reader.float();
                                message._connectMs = "connectMs";
                                continue;
                            }
                        case 31: {
                                if (wireType !== 5)
                                    break;
                                message.tlsMs = reader.float();
                                message._tlsMs = "tlsMs";
                                continue;
                            }
                        case 32: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.tls = value;
                                else
                                    delete message.tls;
                                continue;
                            }
                        case 33: {
                                if (wireType !== 0)
                                    break;
                                message.refreshes = reader.uint32();
                                message._refreshes = "refreshes";
                                continue;
                            }
                        case 34: {
                                if (wireType !== 0)
                                    break;
                                message.refreshFailures = reader.uint32();
                                message._refreshFailures = "refreshFailures";
                                continue;
                            }
                        case 35: {
                                if (wireType !== 0)
                                    break;
                                message.refreshLapses = reader.uint32();
                                message._refreshLapses = "refreshLapses";
                                continue;
                            }
                        case 36: {
                                if (wireType !== 0)
                                    break;
                                message.refreshRecoveries = reader.uint32();
                                message._refreshRecoveries = "refreshRecoveries";
                                continue;
                            }
                        case 37: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.findings && message.findings.length))
                                    message.findings = [];
                                message.findings.push($root.carillon.agent.v1.Finding.decode(reader, reader.size(), $undefined, _depth + 1));
                                continue;
                            }
                        case 38: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.q850 = value;
                                else
                                    delete message.q850;
                                continue;
                            }
                        case 39: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.reasonText = value;
                                else
                                    delete message.reasonText;
                                continue;
                            }
                        case 40: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.warning = value;
                                else
                                    delete message.warning;
                                continue;
                            }
                        case 41: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.retryAfterSeconds = value;
                                else
                                    delete message.retryAfterSeconds;
                                continue;
                            }
                        case 42: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.awaitedMs = value;
                                else
                                    delete message.awaitedMs;
                                continue;
                            }
                        case 43: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.absentMs = value;
                                else
                                    delete message.absentMs;
                                continue;
                            }
                        case 44: {
                                if (wireType !== 5)
                                    break;
                                message.ringDurationMs = reader.float();
                                message._ringDurationMs = "ringDurationMs";
                                continue;
                            }
                        case 45: {
                                if (wireType !== 0)
                                    break;
                                message.kept = reader.bool();
                                message._kept = "kept";
                                continue;
                            }
                        case 27: {
                                if (wireType !== 5)
                                    break;
                                message.optionsRttMs = reader.float();
                                message._optionsRttMs = "optionsRttMs";
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Outcome;
            })();

            v1.Finding = (function() {

                /**
                 * Properties of a Finding.
                 * @typedef {Object} carillon.agent.v1.Finding.$Properties
                 * @property {string|null} [kind] Finding kind
                 * @property {number|null} [stream] Finding stream
                 * @property {number|null} [atUnixMs] Finding atUnixMs
                 * @property {number|null} [lastedMs] Finding lastedMs
                 * @property {number|null} [count] Finding count
                 * @property {number|null} [of] Finding of
                 * @property {string|null} [detail] Finding detail
                 * @property {boolean|null} [tolerated] Finding tolerated
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Finding.
                 * @memberof carillon.agent.v1
                 * @interface IFinding
                 * @augments carillon.agent.v1.Finding.$Properties
                 * @deprecated Use carillon.agent.v1.Finding.$Properties instead.
                 */

                /**
                 * Shape of a Finding.
                 * @typedef {carillon.agent.v1.Finding.$Properties} carillon.agent.v1.Finding.$Shape
                 */

                /**
                 * Constructs a new Finding.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Finding.
                 * @constructor
                 * @param {carillon.agent.v1.Finding.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Finding = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Finding kind.
                 * @member {string} kind
                 * @memberof carillon.agent.v1.Finding
                 * @instance
                 */
                Finding.prototype.kind = "";

                /**
                 * Finding stream.
                 * @member {number|null|undefined} stream
                 * @memberof carillon.agent.v1.Finding
                 * @instance
                 */
                Finding.prototype.stream = null;

                /**
                 * Finding atUnixMs.
                 * @member {number} atUnixMs
                 * @memberof carillon.agent.v1.Finding
                 * @instance
                 */
                Finding.prototype.atUnixMs = 0;

                /**
                 * Finding lastedMs.
                 * @member {number} lastedMs
                 * @memberof carillon.agent.v1.Finding
                 * @instance
                 */
                Finding.prototype.lastedMs = 0;

                /**
                 * Finding count.
                 * @member {number} count
                 * @memberof carillon.agent.v1.Finding
                 * @instance
                 */
                Finding.prototype.count = 0;

                /**
                 * Finding of.
                 * @member {number} of
                 * @memberof carillon.agent.v1.Finding
                 * @instance
                 */
                Finding.prototype.of = 0;

                /**
                 * Finding detail.
                 * @member {string} detail
                 * @memberof carillon.agent.v1.Finding
                 * @instance
                 */
                Finding.prototype.detail = "";

                /**
                 * Finding tolerated.
                 * @member {boolean} tolerated
                 * @memberof carillon.agent.v1.Finding
                 * @instance
                 */
                Finding.prototype.tolerated = false;

                // OneOf field names bound to virtual getters and setters
                let $oneOfFields;

                // Virtual OneOf for proto3 optional field
                $Object.defineProperty(Finding.prototype, "_stream", {
                    get: $util.oneOfGetter($oneOfFields = ["stream"]),
                    set: $util.oneOfSetter($oneOfFields)
                });

                /**
                 * Encodes the specified Finding message. Does not implicitly {@link carillon.agent.v1.Finding.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Finding
                 * @static
                 * @param {carillon.agent.v1.Finding.$Properties} message Finding message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Finding.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.kind != null && $Object.hasOwnProperty.call(message, "kind") && message.kind !== "")
                        writer.uint32(/* id 1, wireType 2 =*/10).string(message.kind);
                    if (message.stream != null && $Object.hasOwnProperty.call(message, "stream"))
                        writer.uint32(/* id 2, wireType 0 =*/16).uint32(message.stream);
                    if (message.atUnixMs != null && $Object.hasOwnProperty.call(message, "atUnixMs") && !$Object.is(message.atUnixMs, 0))
                        writer.uint32(/* id 3, wireType 1 =*/25).double(message.atUnixMs);
                    if (message.lastedMs != null && $Object.hasOwnProperty.call(message, "lastedMs") && !$Object.is(message.lastedMs, 0))
                        writer.uint32(/* id 4, wireType 5 =*/37).float(message.lastedMs);
                    if (message.count != null && $Object.hasOwnProperty.call(message, "count") && !$Object.is(message.count, 0))
                        writer.uint32(/* id 5, wireType 1 =*/41).double(message.count);
                    if (message.of != null && $Object.hasOwnProperty.call(message, "of") && !$Object.is(message.of, 0))
                        writer.uint32(/* id 6, wireType 1 =*/49).double(message.of);
                    if (message.detail != null && $Object.hasOwnProperty.call(message, "detail") && message.detail !== "")
                        writer.uint32(/* id 7, wireType 2 =*/58).string(message.detail);
                    if (message.tolerated != null && $Object.hasOwnProperty.call(message, "tolerated") && message.tolerated !== false)
                        writer.uint32(/* id 8, wireType 0 =*/64).bool(message.tolerated);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Finding message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Finding
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Finding & carillon.agent.v1.Finding.$Shape} Finding
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Finding.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Finding();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.kind = value;
                                else
                                    delete message.kind;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                message.stream = reader.uint32();
                                message._stream = "stream";
                                continue;
                            }
                        case 3: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.atUnixMs = value;
                                else
                                    delete message.atUnixMs;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.lastedMs = value;
                                else
                                    delete message.lastedMs;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.count = value;
                                else
                                    delete message.count;
                                continue;
                            }
                        case 6: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.of = value;
                                else
                                    delete message.of;
                                continue;
                            }
                        case 7: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.detail = value;
                                else
                                    delete message.detail;
                                continue;
                            }
                        case 8: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.tolerated = value;
                                else
                                    delete message.tolerated;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Finding;
            })();

            v1.SipCounts = (function() {

                /**
                 * Properties of a SipCounts.
                 * @typedef {Object} carillon.agent.v1.SipCounts.$Properties
                 * @property {Array.<boolean>|null} [sent] SipCounts sent
                 * @property {Array.<string>|null} [method] SipCounts method
                 * @property {Array.<number>|null} [status] SipCounts status
                 * @property {Array.<string>|null} [reason] SipCounts reason
                 * @property {Array.<number>|null} [count] SipCounts count
                 * @property {Array.<number>|null} [retransmissions] SipCounts retransmissions
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a SipCounts.
                 * @memberof carillon.agent.v1
                 * @interface ISipCounts
                 * @augments carillon.agent.v1.SipCounts.$Properties
                 * @deprecated Use carillon.agent.v1.SipCounts.$Properties instead.
                 */

                /**
                 * Shape of a SipCounts.
                 * @typedef {carillon.agent.v1.SipCounts.$Properties} carillon.agent.v1.SipCounts.$Shape
                 */

                /**
                 * Constructs a new SipCounts.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a SipCounts.
                 * @constructor
                 * @param {carillon.agent.v1.SipCounts.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const SipCounts = function (properties) {
                    this.sent = [];
                    this.method = [];
                    this.status = [];
                    this.reason = [];
                    this.count = [];
                    this.retransmissions = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * SipCounts sent.
                 * @member {Array.<boolean>} sent
                 * @memberof carillon.agent.v1.SipCounts
                 * @instance
                 */
                SipCounts.prototype.sent = $util.emptyArray;

                /**
                 * SipCounts method.
                 * @member {Array.<string>} method
                 * @memberof carillon.agent.v1.SipCounts
                 * @instance
                 */
                SipCounts.prototype.method = $util.emptyArray;

                /**
                 * SipCounts status.
                 * @member {Array.<number>} status
                 * @memberof carillon.agent.v1.SipCounts
                 * @instance
                 */
                SipCounts.prototype.status = $util.emptyArray;

                /**
                 * SipCounts reason.
                 * @member {Array.<string>} reason
                 * @memberof carillon.agent.v1.SipCounts
                 * @instance
                 */
                SipCounts.prototype.reason = $util.emptyArray;

                /**
                 * SipCounts count.
                 * @member {Array.<number>} count
                 * @memberof carillon.agent.v1.SipCounts
                 * @instance
                 */
                SipCounts.prototype.count = $util.emptyArray;

                /**
                 * SipCounts retransmissions.
                 * @member {Array.<number>} retransmissions
                 * @memberof carillon.agent.v1.SipCounts
                 * @instance
                 */
                SipCounts.prototype.retransmissions = $util.emptyArray;

                /**
                 * Encodes the specified SipCounts message. Does not implicitly {@link carillon.agent.v1.SipCounts.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.SipCounts
                 * @static
                 * @param {carillon.agent.v1.SipCounts.$Properties} message SipCounts message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                SipCounts.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.sent != null && message.sent.length)
                        writer.uint32(/* id 1, wireType 2 =*/10).bools(message.sent);
                    if (message.method != null && message.method.length)
                        for (let i = 0; i < message.method.length; ++i)
                            writer.uint32(/* id 2, wireType 2 =*/18).string(message.method[i]);
                    if (message.status != null && message.status.length)
                        writer.uint32(/* id 3, wireType 2 =*/26).uint32s(message.status);
                    if (message.reason != null && message.reason.length)
                        for (let i = 0; i < message.reason.length; ++i)
                            writer.uint32(/* id 4, wireType 2 =*/34).string(message.reason[i]);
                    if (message.count != null && message.count.length)
                        writer.uint32(/* id 5, wireType 2 =*/42).uint32s(message.count);
                    if (message.retransmissions != null && message.retransmissions.length)
                        writer.uint32(/* id 6, wireType 2 =*/50).uint32s(message.retransmissions);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a SipCounts message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.SipCounts
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.SipCounts & carillon.agent.v1.SipCounts.$Shape} SipCounts
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                SipCounts.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.SipCounts();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType === 2) {
                                    if (!(message.sent && message.sent.length))
                                        message.sent = [];
                                    reader.bools(message.sent);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.sent && message.sent.length))
                                    message.sent = [];
                                message.sent.push(reader.bool());
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.method && message.method.length))
                                    message.method = [];
                                message.method.push(reader.stringVerify());
                                continue;
                            }
                        case 3: {
                                if (wireType === 2) {
                                    if (!(message.status && message.status.length))
                                        message.status = [];
                                    reader.uint32s(message.status);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.status && message.status.length))
                                    message.status = [];
                                message.status.push(reader.uint32());
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.reason && message.reason.length))
                                    message.reason = [];
                                message.reason.push(reader.stringVerify());
                                continue;
                            }
                        case 5: {
                                if (wireType === 2) {
                                    if (!(message.count && message.count.length))
                                        message.count = [];
                                    reader.uint32s(message.count);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.count && message.count.length))
                                    message.count = [];
                                message.count.push(reader.uint32());
                                continue;
                            }
                        case 6: {
                                if (wireType === 2) {
                                    if (!(message.retransmissions && message.retransmissions.length))
                                        message.retransmissions = [];
                                    reader.uint32s(message.retransmissions);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.retransmissions && message.retransmissions.length))
                                    message.retransmissions = [];
                                message.retransmissions.push(reader.uint32());
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return SipCounts;
            })();

            v1.MessageChunk = (function() {

                /**
                 * Properties of a MessageChunk.
                 * @typedef {Object} carillon.agent.v1.MessageChunk.$Properties
                 * @property {number|null} [endpoint] MessageChunk endpoint
                 * @property {number|null} [first] MessageChunk first
                 * @property {Uint8Array|null} [text] MessageChunk text
                 * @property {Array.<number>|null} [atMs] MessageChunk atMs
                 * @property {Array.<boolean>|null} [sent] MessageChunk sent
                 * @property {Array.<number>|null} [length] MessageChunk length
                 * @property {Array.<string>|null} [method] MessageChunk method
                 * @property {Array.<number>|null} [status] MessageChunk status
                 * @property {Array.<boolean>|null} [retransmission] MessageChunk retransmission
                 * @property {Array.<string>|null} [peer] MessageChunk peer
                 * @property {Array.<string>|null} [callId] MessageChunk callId
                 * @property {string|null} [localAddress] MessageChunk localAddress
                 * @property {Array.<string>|null} [transport] MessageChunk transport
                 * @property {Array.<number>|null} [localPort] MessageChunk localPort
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a MessageChunk.
                 * @memberof carillon.agent.v1
                 * @interface IMessageChunk
                 * @augments carillon.agent.v1.MessageChunk.$Properties
                 * @deprecated Use carillon.agent.v1.MessageChunk.$Properties instead.
                 */

                /**
                 * Shape of a MessageChunk.
                 * @typedef {carillon.agent.v1.MessageChunk.$Properties} carillon.agent.v1.MessageChunk.$Shape
                 */

                /**
                 * Constructs a new MessageChunk.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a MessageChunk.
                 * @constructor
                 * @param {carillon.agent.v1.MessageChunk.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const MessageChunk = function (properties) {
                    this.atMs = [];
                    this.sent = [];
                    this.length = [];
                    this.method = [];
                    this.status = [];
                    this.retransmission = [];
                    this.peer = [];
                    this.callId = [];
                    this.transport = [];
                    this.localPort = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * MessageChunk endpoint.
                 * @member {number} endpoint
                 * @memberof carillon.agent.v1.MessageChunk
                 * @instance
                 */
                MessageChunk.prototype.endpoint = 0;

                /**
                 * MessageChunk first.
                 * @member {number} first
                 * @memberof carillon.agent.v1.MessageChunk
                 * @instance
                 */
                MessageChunk.prototype.first = 0;

                /**
                 * MessageChunk text.
                 * @member {Uint8Array} text
                 * @memberof carillon.agent.v1.MessageChunk
                 * @instance
                 */
                MessageChunk.prototype.text = $util.newBuffer([]);

                /**
                 * MessageChunk atMs.
                 * @member {Array.<number>} atMs
                 * @memberof carillon.agent.v1.MessageChunk
                 * @instance
                 */
                MessageChunk.prototype.atMs = $util.emptyArray;

                /**
                 * MessageChunk sent.
                 * @member {Array.<boolean>} sent
                 * @memberof carillon.agent.v1.MessageChunk
                 * @instance
                 */
                MessageChunk.prototype.sent = $util.emptyArray;

                /**
                 * MessageChunk length.
                 * @member {Array.<number>} length
                 * @memberof carillon.agent.v1.MessageChunk
                 * @instance
                 */
                MessageChunk.prototype.length = $util.emptyArray;

                /**
                 * MessageChunk method.
                 * @member {Array.<string>} method
                 * @memberof carillon.agent.v1.MessageChunk
                 * @instance
                 */
                MessageChunk.prototype.method = $util.emptyArray;

                /**
                 * MessageChunk status.
                 * @member {Array.<number>} status
                 * @memberof carillon.agent.v1.MessageChunk
                 * @instance
                 */
                MessageChunk.prototype.status = $util.emptyArray;

                /**
                 * MessageChunk retransmission.
                 * @member {Array.<boolean>} retransmission
                 * @memberof carillon.agent.v1.MessageChunk
                 * @instance
                 */
                MessageChunk.prototype.retransmission = $util.emptyArray;

                /**
                 * MessageChunk peer.
                 * @member {Array.<string>} peer
                 * @memberof carillon.agent.v1.MessageChunk
                 * @instance
                 */
                MessageChunk.prototype.peer = $util.emptyArray;

                /**
                 * MessageChunk callId.
                 * @member {Array.<string>} callId
                 * @memberof carillon.agent.v1.MessageChunk
                 * @instance
                 */
                MessageChunk.prototype.callId = $util.emptyArray;

                /**
                 * MessageChunk localAddress.
                 * @member {string} localAddress
                 * @memberof carillon.agent.v1.MessageChunk
                 * @instance
                 */
                MessageChunk.prototype.localAddress = "";

                /**
                 * MessageChunk transport.
                 * @member {Array.<string>} transport
                 * @memberof carillon.agent.v1.MessageChunk
                 * @instance
                 */
                MessageChunk.prototype.transport = $util.emptyArray;

                /**
                 * MessageChunk localPort.
                 * @member {Array.<number>} localPort
                 * @memberof carillon.agent.v1.MessageChunk
                 * @instance
                 */
                MessageChunk.prototype.localPort = $util.emptyArray;

                /**
                 * Encodes the specified MessageChunk message. Does not implicitly {@link carillon.agent.v1.MessageChunk.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.MessageChunk
                 * @static
                 * @param {carillon.agent.v1.MessageChunk.$Properties} message MessageChunk message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                MessageChunk.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.endpoint != null && $Object.hasOwnProperty.call(message, "endpoint") && message.endpoint !== 0)
                        writer.uint32(/* id 1, wireType 0 =*/8).uint32(message.endpoint);
                    if (message.first != null && $Object.hasOwnProperty.call(message, "first") && message.first !== 0)
                        writer.uint32(/* id 2, wireType 0 =*/16).uint32(message.first);
                    if (message.text != null && $Object.hasOwnProperty.call(message, "text") && message.text.length)
                        writer.uint32(/* id 3, wireType 2 =*/26).bytes(message.text);
                    if (message.atMs != null && message.atMs.length)
                        writer.uint32(/* id 4, wireType 2 =*/34).floats(message.atMs);
                    if (message.sent != null && message.sent.length)
                        writer.uint32(/* id 5, wireType 2 =*/42).bools(message.sent);
                    if (message.length != null && message.length.length)
                        writer.uint32(/* id 6, wireType 2 =*/50).uint32s(message.length);
                    if (message.method != null && message.method.length)
                        for (let i = 0; i < message.method.length; ++i)
                            writer.uint32(/* id 7, wireType 2 =*/58).string(message.method[i]);
                    if (message.status != null && message.status.length)
                        writer.uint32(/* id 8, wireType 2 =*/66).uint32s(message.status);
                    if (message.retransmission != null && message.retransmission.length)
                        writer.uint32(/* id 9, wireType 2 =*/74).bools(message.retransmission);
                    if (message.peer != null && message.peer.length)
                        for (let i = 0; i < message.peer.length; ++i)
                            writer.uint32(/* id 10, wireType 2 =*/82).string(message.peer[i]);
                    if (message.callId != null && message.callId.length)
                        for (let i = 0; i < message.callId.length; ++i)
                            writer.uint32(/* id 11, wireType 2 =*/90).string(message.callId[i]);
                    if (message.localAddress != null && $Object.hasOwnProperty.call(message, "localAddress") && message.localAddress !== "")
                        writer.uint32(/* id 12, wireType 2 =*/98).string(message.localAddress);
                    if (message.transport != null && message.transport.length)
                        for (let i = 0; i < message.transport.length; ++i)
                            writer.uint32(/* id 13, wireType 2 =*/106).string(message.transport[i]);
                    if (message.localPort != null && message.localPort.length)
                        writer.uint32(/* id 14, wireType 2 =*/114).uint32s(message.localPort);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a MessageChunk message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.MessageChunk
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.MessageChunk & carillon.agent.v1.MessageChunk.$Shape} MessageChunk
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                MessageChunk.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.MessageChunk();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.endpoint = value;
                                else
                                    delete message.endpoint;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.first = value;
                                else
                                    delete message.first;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.text = value;
                                else
                                    delete message.text;
                                continue;
                            }
                        case 4: {
                                if (wireType === 2) {
                                    if (!(message.atMs && message.atMs.length))
                                        message.atMs = [];
                                    reader.floats(message.atMs);
                                    continue;
                                }
                                if (wireType !== 5)
                                    break;
                                if (!(message.atMs && message.atMs.length))
                                    message.atMs = [];
                                message.atMs.push(reader.float());
                                continue;
                            }
                        case 5: {
                                if (wireType === 2) {
                                    if (!(message.sent && message.sent.length))
                                        message.sent = [];
                                    reader.bools(message.sent);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.sent && message.sent.length))
                                    message.sent = [];
                                message.sent.push(reader.bool());
                                continue;
                            }
                        case 6: {
                                if (wireType === 2) {
                                    if (!(message.length && message.length.length))
                                        message.length = [];
                                    reader.uint32s(message.length);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.length && message.length.length))
                                    message.length = [];
                                message.length.push(reader.uint32());
                                continue;
                            }
                        case 7: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.method && message.method.length))
                                    message.method = [];
                                message.method.push(reader.stringVerify());
                                continue;
                            }
                        case 8: {
                                if (wireType === 2) {
                                    if (!(message.status && message.status.length))
                                        message.status = [];
                                    reader.uint32s(message.status);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.status && message.status.length))
                                    message.status = [];
                                message.status.push(reader.uint32());
                                continue;
                            }
                        case 9: {
                                if (wireType === 2) {
                                    if (!(message.retransmission && message.retransmission.length))
                                        message.retransmission = [];
                                    reader.bools(message.retransmission);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.retransmission && message.retransmission.length))
                                    message.retransmission = [];
                                message.retransmission.push(reader.bool());
                                continue;
                            }
                        case 10: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.peer && message.peer.length))
                                    message.peer = [];
                                message.peer.push(reader.stringVerify());
                                continue;
                            }
                        case 11: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.callId && message.callId.length))
                                    message.callId = [];
                                message.callId.push(reader.stringVerify());
                                continue;
                            }
                        case 12: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.localAddress = value;
                                else
                                    delete message.localAddress;
                                continue;
                            }
                        case 13: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.transport && message.transport.length))
                                    message.transport = [];
                                message.transport.push(reader.stringVerify());
                                continue;
                            }
                        case 14: {
                                if (wireType === 2) {
                                    if (!(message.localPort && message.localPort.length))
                                        message.localPort = [];
                                    reader.uint32s(message.localPort);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.localPort && message.localPort.length))
                                    message.localPort = [];
                                message.localPort.push(reader.uint32());
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return MessageChunk;
            })();

            v1.MessageBlock = (function() {

                /**
                 * Properties of a MessageBlock.
                 * @typedef {Object} carillon.agent.v1.MessageBlock.$Properties
                 * @property {Uint8Array|null} [text] MessageBlock text
                 * @property {string|null} [localAddress] MessageBlock localAddress
                 * @property {Array.<string>|null} [words] MessageBlock words
                 * @property {Array.<number>|null} [endpoint] MessageBlock endpoint
                 * @property {Array.<number>|null} [number] MessageBlock number
                 * @property {Array.<number>|null} [length] MessageBlock length
                 * @property {Array.<number>|null} [atMs] MessageBlock atMs
                 * @property {Array.<number>|null} [kind] MessageBlock kind
                 * @property {Array.<number>|null} [method] MessageBlock method
                 * @property {Array.<number>|null} [callId] MessageBlock callId
                 * @property {Array.<number>|null} [peer] MessageBlock peer
                 * @property {Array.<number>|null} [transport] MessageBlock transport
                 * @property {Array.<number>|null} [localPort] MessageBlock localPort
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a MessageBlock.
                 * @memberof carillon.agent.v1
                 * @interface IMessageBlock
                 * @augments carillon.agent.v1.MessageBlock.$Properties
                 * @deprecated Use carillon.agent.v1.MessageBlock.$Properties instead.
                 */

                /**
                 * Shape of a MessageBlock.
                 * @typedef {carillon.agent.v1.MessageBlock.$Properties} carillon.agent.v1.MessageBlock.$Shape
                 */

                /**
                 * Constructs a new MessageBlock.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a MessageBlock.
                 * @constructor
                 * @param {carillon.agent.v1.MessageBlock.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const MessageBlock = function (properties) {
                    this.words = [];
                    this.endpoint = [];
                    this.number = [];
                    this.length = [];
                    this.atMs = [];
                    this.kind = [];
                    this.method = [];
                    this.callId = [];
                    this.peer = [];
                    this.transport = [];
                    this.localPort = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * MessageBlock text.
                 * @member {Uint8Array} text
                 * @memberof carillon.agent.v1.MessageBlock
                 * @instance
                 */
                MessageBlock.prototype.text = $util.newBuffer([]);

                /**
                 * MessageBlock localAddress.
                 * @member {string} localAddress
                 * @memberof carillon.agent.v1.MessageBlock
                 * @instance
                 */
                MessageBlock.prototype.localAddress = "";

                /**
                 * MessageBlock words.
                 * @member {Array.<string>} words
                 * @memberof carillon.agent.v1.MessageBlock
                 * @instance
                 */
                MessageBlock.prototype.words = $util.emptyArray;

                /**
                 * MessageBlock endpoint.
                 * @member {Array.<number>} endpoint
                 * @memberof carillon.agent.v1.MessageBlock
                 * @instance
                 */
                MessageBlock.prototype.endpoint = $util.emptyArray;

                /**
                 * MessageBlock number.
                 * @member {Array.<number>} number
                 * @memberof carillon.agent.v1.MessageBlock
                 * @instance
                 */
                MessageBlock.prototype.number = $util.emptyArray;

                /**
                 * MessageBlock length.
                 * @member {Array.<number>} length
                 * @memberof carillon.agent.v1.MessageBlock
                 * @instance
                 */
                MessageBlock.prototype.length = $util.emptyArray;

                /**
                 * MessageBlock atMs.
                 * @member {Array.<number>} atMs
                 * @memberof carillon.agent.v1.MessageBlock
                 * @instance
                 */
                MessageBlock.prototype.atMs = $util.emptyArray;

                /**
                 * MessageBlock kind.
                 * @member {Array.<number>} kind
                 * @memberof carillon.agent.v1.MessageBlock
                 * @instance
                 */
                MessageBlock.prototype.kind = $util.emptyArray;

                /**
                 * MessageBlock method.
                 * @member {Array.<number>} method
                 * @memberof carillon.agent.v1.MessageBlock
                 * @instance
                 */
                MessageBlock.prototype.method = $util.emptyArray;

                /**
                 * MessageBlock callId.
                 * @member {Array.<number>} callId
                 * @memberof carillon.agent.v1.MessageBlock
                 * @instance
                 */
                MessageBlock.prototype.callId = $util.emptyArray;

                /**
                 * MessageBlock peer.
                 * @member {Array.<number>} peer
                 * @memberof carillon.agent.v1.MessageBlock
                 * @instance
                 */
                MessageBlock.prototype.peer = $util.emptyArray;

                /**
                 * MessageBlock transport.
                 * @member {Array.<number>} transport
                 * @memberof carillon.agent.v1.MessageBlock
                 * @instance
                 */
                MessageBlock.prototype.transport = $util.emptyArray;

                /**
                 * MessageBlock localPort.
                 * @member {Array.<number>} localPort
                 * @memberof carillon.agent.v1.MessageBlock
                 * @instance
                 */
                MessageBlock.prototype.localPort = $util.emptyArray;

                /**
                 * Encodes the specified MessageBlock message. Does not implicitly {@link carillon.agent.v1.MessageBlock.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.MessageBlock
                 * @static
                 * @param {carillon.agent.v1.MessageBlock.$Properties} message MessageBlock message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                MessageBlock.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.text != null && $Object.hasOwnProperty.call(message, "text") && message.text.length)
                        writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.text);
                    if (message.localAddress != null && $Object.hasOwnProperty.call(message, "localAddress") && message.localAddress !== "")
                        writer.uint32(/* id 2, wireType 2 =*/18).string(message.localAddress);
                    if (message.words != null && message.words.length)
                        for (let i = 0; i < message.words.length; ++i)
                            writer.uint32(/* id 3, wireType 2 =*/26).string(message.words[i]);
                    if (message.endpoint != null && message.endpoint.length)
                        writer.uint32(/* id 4, wireType 2 =*/34).uint32s(message.endpoint);
                    if (message.number != null && message.number.length)
                        writer.uint32(/* id 5, wireType 2 =*/42).uint32s(message.number);
                    if (message.length != null && message.length.length)
                        writer.uint32(/* id 6, wireType 2 =*/50).uint32s(message.length);
                    if (message.atMs != null && message.atMs.length)
                        writer.uint32(/* id 7, wireType 2 =*/58).floats(message.atMs);
                    if (message.kind != null && message.kind.length)
                        writer.uint32(/* id 8, wireType 2 =*/66).uint32s(message.kind);
                    if (message.method != null && message.method.length)
                        writer.uint32(/* id 9, wireType 2 =*/74).uint32s(message.method);
                    if (message.callId != null && message.callId.length)
                        writer.uint32(/* id 10, wireType 2 =*/82).uint32s(message.callId);
                    if (message.peer != null && message.peer.length)
                        writer.uint32(/* id 11, wireType 2 =*/90).uint32s(message.peer);
                    if (message.transport != null && message.transport.length)
                        writer.uint32(/* id 12, wireType 2 =*/98).uint32s(message.transport);
                    if (message.localPort != null && message.localPort.length)
                        writer.uint32(/* id 13, wireType 2 =*/106).uint32s(message.localPort);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a MessageBlock message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.MessageBlock
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.MessageBlock & carillon.agent.v1.MessageBlock.$Shape} MessageBlock
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                MessageBlock.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.MessageBlock();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.text = value;
                                else
                                    delete message.text;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.localAddress = value;
                                else
                                    delete message.localAddress;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if (!(message.words && message.words.length))
                                    message.words = [];
                                message.words.push(reader.stringVerify());
                                continue;
                            }
                        case 4: {
                                if (wireType === 2) {
                                    if (!(message.endpoint && message.endpoint.length))
                                        message.endpoint = [];
                                    reader.uint32s(message.endpoint);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.endpoint && message.endpoint.length))
                                    message.endpoint = [];
                                message.endpoint.push(reader.uint32());
                                continue;
                            }
                        case 5: {
                                if (wireType === 2) {
                                    if (!(message.number && message.number.length))
                                        message.number = [];
                                    reader.uint32s(message.number);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.number && message.number.length))
                                    message.number = [];
                                message.number.push(reader.uint32());
                                continue;
                            }
                        case 6: {
                                if (wireType === 2) {
                                    if (!(message.length && message.length.length))
                                        message.length = [];
                                    reader.uint32s(message.length);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.length && message.length.length))
                                    message.length = [];
                                message.length.push(reader.uint32());
                                continue;
                            }
                        case 7: {
                                if (wireType === 2) {
                                    if (!(message.atMs && message.atMs.length))
                                        message.atMs = [];
                                    reader.floats(message.atMs);
                                    continue;
                                }
                                if (wireType !== 5)
                                    break;
                                if (!(message.atMs && message.atMs.length))
                                    message.atMs = [];
                                message.atMs.push(reader.float());
                                continue;
                            }
                        case 8: {
                                if (wireType === 2) {
                                    if (!(message.kind && message.kind.length))
                                        message.kind = [];
                                    reader.uint32s(message.kind);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.kind && message.kind.length))
                                    message.kind = [];
                                message.kind.push(reader.uint32());
                                continue;
                            }
                        case 9: {
                                if (wireType === 2) {
                                    if (!(message.method && message.method.length))
                                        message.method = [];
                                    reader.uint32s(message.method);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.method && message.method.length))
                                    message.method = [];
                                message.method.push(reader.uint32());
                                continue;
                            }
                        case 10: {
                                if (wireType === 2) {
                                    if (!(message.callId && message.callId.length))
                                        message.callId = [];
                                    reader.uint32s(message.callId);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.callId && message.callId.length))
                                    message.callId = [];
                                message.callId.push(reader.uint32());
                                continue;
                            }
                        case 11: {
                                if (wireType === 2) {
                                    if (!(message.peer && message.peer.length))
                                        message.peer = [];
                                    reader.uint32s(message.peer);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.peer && message.peer.length))
                                    message.peer = [];
                                message.peer.push(reader.uint32());
                                continue;
                            }
                        case 12: {
                                if (wireType === 2) {
                                    if (!(message.transport && message.transport.length))
                                        message.transport = [];
                                    reader.uint32s(message.transport);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.transport && message.transport.length))
                                    message.transport = [];
                                message.transport.push(reader.uint32());
                                continue;
                            }
                        case 13: {
                                if (wireType === 2) {
                                    if (!(message.localPort && message.localPort.length))
                                        message.localPort = [];
                                    reader.uint32s(message.localPort);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.localPort && message.localPort.length))
                                    message.localPort = [];
                                message.localPort.push(reader.uint32());
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return MessageBlock;
            })();

            v1.RtpHeaders = (function() {

                /**
                 * Properties of a RtpHeaders.
                 * @typedef {Object} carillon.agent.v1.RtpHeaders.$Properties
                 * @property {number|null} [endpoint] RtpHeaders endpoint
                 * @property {number|null} [stream] RtpHeaders stream
                 * @property {string|null} [localAddress] RtpHeaders localAddress
                 * @property {number|null} [localPort] RtpHeaders localPort
                 * @property {string|null} [peer] RtpHeaders peer
                 * @property {Uint8Array|null} [header] RtpHeaders header
                 * @property {Array.<number>|null} [headerBytes] RtpHeaders headerBytes
                 * @property {Array.<number>|null} [packetBytes] RtpHeaders packetBytes
                 * @property {Array.<boolean>|null} [sent] RtpHeaders sent
                 * @property {Array.<number>|null} [atMs] RtpHeaders atMs
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a RtpHeaders.
                 * @memberof carillon.agent.v1
                 * @interface IRtpHeaders
                 * @augments carillon.agent.v1.RtpHeaders.$Properties
                 * @deprecated Use carillon.agent.v1.RtpHeaders.$Properties instead.
                 */

                /**
                 * Shape of a RtpHeaders.
                 * @typedef {carillon.agent.v1.RtpHeaders.$Properties} carillon.agent.v1.RtpHeaders.$Shape
                 */

                /**
                 * Constructs a new RtpHeaders.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a RtpHeaders.
                 * @constructor
                 * @param {carillon.agent.v1.RtpHeaders.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const RtpHeaders = function (properties) {
                    this.headerBytes = [];
                    this.packetBytes = [];
                    this.sent = [];
                    this.atMs = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * RtpHeaders endpoint.
                 * @member {number} endpoint
                 * @memberof carillon.agent.v1.RtpHeaders
                 * @instance
                 */
                RtpHeaders.prototype.endpoint = 0;

                /**
                 * RtpHeaders stream.
                 * @member {number} stream
                 * @memberof carillon.agent.v1.RtpHeaders
                 * @instance
                 */
                RtpHeaders.prototype.stream = 0;

                /**
                 * RtpHeaders localAddress.
                 * @member {string} localAddress
                 * @memberof carillon.agent.v1.RtpHeaders
                 * @instance
                 */
                RtpHeaders.prototype.localAddress = "";

                /**
                 * RtpHeaders localPort.
                 * @member {number} localPort
                 * @memberof carillon.agent.v1.RtpHeaders
                 * @instance
                 */
                RtpHeaders.prototype.localPort = 0;

                /**
                 * RtpHeaders peer.
                 * @member {string} peer
                 * @memberof carillon.agent.v1.RtpHeaders
                 * @instance
                 */
                RtpHeaders.prototype.peer = "";

                /**
                 * RtpHeaders header.
                 * @member {Uint8Array} header
                 * @memberof carillon.agent.v1.RtpHeaders
                 * @instance
                 */
                RtpHeaders.prototype.header = $util.newBuffer([]);

                /**
                 * RtpHeaders headerBytes.
                 * @member {Array.<number>} headerBytes
                 * @memberof carillon.agent.v1.RtpHeaders
                 * @instance
                 */
                RtpHeaders.prototype.headerBytes = $util.emptyArray;

                /**
                 * RtpHeaders packetBytes.
                 * @member {Array.<number>} packetBytes
                 * @memberof carillon.agent.v1.RtpHeaders
                 * @instance
                 */
                RtpHeaders.prototype.packetBytes = $util.emptyArray;

                /**
                 * RtpHeaders sent.
                 * @member {Array.<boolean>} sent
                 * @memberof carillon.agent.v1.RtpHeaders
                 * @instance
                 */
                RtpHeaders.prototype.sent = $util.emptyArray;

                /**
                 * RtpHeaders atMs.
                 * @member {Array.<number>} atMs
                 * @memberof carillon.agent.v1.RtpHeaders
                 * @instance
                 */
                RtpHeaders.prototype.atMs = $util.emptyArray;

                /**
                 * Encodes the specified RtpHeaders message. Does not implicitly {@link carillon.agent.v1.RtpHeaders.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.RtpHeaders
                 * @static
                 * @param {carillon.agent.v1.RtpHeaders.$Properties} message RtpHeaders message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                RtpHeaders.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.endpoint != null && $Object.hasOwnProperty.call(message, "endpoint") && message.endpoint !== 0)
                        writer.uint32(/* id 1, wireType 0 =*/8).uint32(message.endpoint);
                    if (message.stream != null && $Object.hasOwnProperty.call(message, "stream") && message.stream !== 0)
                        writer.uint32(/* id 2, wireType 0 =*/16).uint32(message.stream);
                    if (message.localAddress != null && $Object.hasOwnProperty.call(message, "localAddress") && message.localAddress !== "")
                        writer.uint32(/* id 3, wireType 2 =*/26).string(message.localAddress);
                    if (message.localPort != null && $Object.hasOwnProperty.call(message, "localPort") && message.localPort !== 0)
                        writer.uint32(/* id 4, wireType 0 =*/32).uint32(message.localPort);
                    if (message.peer != null && $Object.hasOwnProperty.call(message, "peer") && message.peer !== "")
                        writer.uint32(/* id 5, wireType 2 =*/42).string(message.peer);
                    if (message.header != null && $Object.hasOwnProperty.call(message, "header") && message.header.length)
                        writer.uint32(/* id 6, wireType 2 =*/50).bytes(message.header);
                    if (message.headerBytes != null && message.headerBytes.length)
                        writer.uint32(/* id 7, wireType 2 =*/58).uint32s(message.headerBytes);
                    if (message.packetBytes != null && message.packetBytes.length)
                        writer.uint32(/* id 8, wireType 2 =*/66).uint32s(message.packetBytes);
                    if (message.sent != null && message.sent.length)
                        writer.uint32(/* id 9, wireType 2 =*/74).bools(message.sent);
                    if (message.atMs != null && message.atMs.length)
                        writer.uint32(/* id 10, wireType 2 =*/82).floats(message.atMs);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a RtpHeaders message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.RtpHeaders
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.RtpHeaders & carillon.agent.v1.RtpHeaders.$Shape} RtpHeaders
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                RtpHeaders.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.RtpHeaders();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.endpoint = value;
                                else
                                    delete message.endpoint;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.stream = value;
                                else
                                    delete message.stream;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.localAddress = value;
                                else
                                    delete message.localAddress;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.localPort = value;
                                else
                                    delete message.localPort;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.peer = value;
                                else
                                    delete message.peer;
                                continue;
                            }
                        case 6: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.bytes()).length)
                                    message.header = value;
                                else
                                    delete message.header;
                                continue;
                            }
                        case 7: {
                                if (wireType === 2) {
                                    if (!(message.headerBytes && message.headerBytes.length))
                                        message.headerBytes = [];
                                    reader.uint32s(message.headerBytes);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.headerBytes && message.headerBytes.length))
                                    message.headerBytes = [];
                                message.headerBytes.push(reader.uint32());
                                continue;
                            }
                        case 8: {
                                if (wireType === 2) {
                                    if (!(message.packetBytes && message.packetBytes.length))
                                        message.packetBytes = [];
                                    reader.uint32s(message.packetBytes);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.packetBytes && message.packetBytes.length))
                                    message.packetBytes = [];
                                message.packetBytes.push(reader.uint32());
                                continue;
                            }
                        case 9: {
                                if (wireType === 2) {
                                    if (!(message.sent && message.sent.length))
                                        message.sent = [];
                                    reader.bools(message.sent);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.sent && message.sent.length))
                                    message.sent = [];
                                message.sent.push(reader.bool());
                                continue;
                            }
                        case 10: {
                                if (wireType === 2) {
                                    if (!(message.atMs && message.atMs.length))
                                        message.atMs = [];
                                    reader.floats(message.atMs);
                                    continue;
                                }
                                if (wireType !== 5)
                                    break;
                                if (!(message.atMs && message.atMs.length))
                                    message.atMs = [];
                                message.atMs.push(reader.float());
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return RtpHeaders;
            })();

            v1.Samples = (function() {

                /**
                 * Properties of a Samples.
                 * @typedef {Object} carillon.agent.v1.Samples.$Properties
                 * @property {Array.<number>|null} [endpoint] Samples endpoint
                 * @property {Array.<number>|null} [stream] Samples stream
                 * @property {Array.<number>|null} [atMs] Samples atMs
                 * @property {Array.<number>|null} [intervalMs] Samples intervalMs
                 * @property {Array.<number>|null} [packetsSent] Samples packetsSent
                 * @property {Array.<number>|null} [packetsReceived] Samples packetsReceived
                 * @property {Array.<number>|null} [expected] Samples expected
                 * @property {Array.<number>|null} [lost] Samples lost
                 * @property {Array.<number>|null} [discarded] Samples discarded
                 * @property {Array.<number>|null} [duplicates] Samples duplicates
                 * @property {Array.<number>|null} [reordered] Samples reordered
                 * @property {Array.<number>|null} [plcEvents] Samples plcEvents
                 * @property {Array.<number>|null} [jitterMs] Samples jitterMs
                 * @property {Array.<number>|null} [jitterMaxMs] Samples jitterMaxMs
                 * @property {Array.<number>|null} [rttMs] Samples rttMs
                 * @property {Array.<number>|null} [mos] Samples mos
                 * @property {Array.<number>|null} [rFactor] Samples rFactor
                 * @property {Array.<number>|null} [remoteLossFraction] Samples remoteLossFraction
                 * @property {Array.<number>|null} [remoteJitterMs] Samples remoteJitterMs
                 * @property {Array.<number>|null} [octetsReceived] Samples octetsReceived
                 * @property {Array.<carillon.agent.v1.Scale>|null} [scale] Samples scale
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Samples.
                 * @memberof carillon.agent.v1
                 * @interface ISamples
                 * @augments carillon.agent.v1.Samples.$Properties
                 * @deprecated Use carillon.agent.v1.Samples.$Properties instead.
                 */

                /**
                 * Shape of a Samples.
                 * @typedef {carillon.agent.v1.Samples.$Properties} carillon.agent.v1.Samples.$Shape
                 */

                /**
                 * Constructs a new Samples.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Samples.
                 * @constructor
                 * @param {carillon.agent.v1.Samples.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Samples = function (properties) {
                    this.endpoint = [];
                    this.stream = [];
                    this.atMs = [];
                    this.intervalMs = [];
                    this.packetsSent = [];
                    this.packetsReceived = [];
                    this.expected = [];
                    this.lost = [];
                    this.discarded = [];
                    this.duplicates = [];
                    this.reordered = [];
                    this.plcEvents = [];
                    this.jitterMs = [];
                    this.jitterMaxMs = [];
                    this.rttMs = [];
                    this.mos = [];
                    this.rFactor = [];
                    this.remoteLossFraction = [];
                    this.remoteJitterMs = [];
                    this.octetsReceived = [];
                    this.scale = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Samples endpoint.
                 * @member {Array.<number>} endpoint
                 * @memberof carillon.agent.v1.Samples
                 * @instance
                 */
                Samples.prototype.endpoint = $util.emptyArray;

                /**
                 * Samples stream.
                 * @member {Array.<number>} stream
                 * @memberof carillon.agent.v1.Samples
                 * @instance
                 */
                Samples.prototype.stream = $util.emptyArray;

                /**
                 * Samples atMs.
                 * @member {Array.<number>} atMs
                 * @memberof carillon.agent.v1.Samples
                 * @instance
                 */
                Samples.prototype.atMs = $util.emptyArray;

                /**
                 * Samples intervalMs.
                 * @member {Array.<number>} intervalMs
                 * @memberof carillon.agent.v1.Samples
                 * @instance
                 */
                Samples.prototype.intervalMs = $util.emptyArray;

                /**
                 * Samples packetsSent.
                 * @member {Array.<number>} packetsSent
                 * @memberof carillon.agent.v1.Samples
                 * @instance
                 */
                Samples.prototype.packetsSent = $util.emptyArray;

                /**
                 * Samples packetsReceived.
                 * @member {Array.<number>} packetsReceived
                 * @memberof carillon.agent.v1.Samples
                 * @instance
                 */
                Samples.prototype.packetsReceived = $util.emptyArray;

                /**
                 * Samples expected.
                 * @member {Array.<number>} expected
                 * @memberof carillon.agent.v1.Samples
                 * @instance
                 */
                Samples.prototype.expected = $util.emptyArray;

                /**
                 * Samples lost.
                 * @member {Array.<number>} lost
                 * @memberof carillon.agent.v1.Samples
                 * @instance
                 */
                Samples.prototype.lost = $util.emptyArray;

                /**
                 * Samples discarded.
                 * @member {Array.<number>} discarded
                 * @memberof carillon.agent.v1.Samples
                 * @instance
                 */
                Samples.prototype.discarded = $util.emptyArray;

                /**
                 * Samples duplicates.
                 * @member {Array.<number>} duplicates
                 * @memberof carillon.agent.v1.Samples
                 * @instance
                 */
                Samples.prototype.duplicates = $util.emptyArray;

                /**
                 * Samples reordered.
                 * @member {Array.<number>} reordered
                 * @memberof carillon.agent.v1.Samples
                 * @instance
                 */
                Samples.prototype.reordered = $util.emptyArray;

                /**
                 * Samples plcEvents.
                 * @member {Array.<number>} plcEvents
                 * @memberof carillon.agent.v1.Samples
                 * @instance
                 */
                Samples.prototype.plcEvents = $util.emptyArray;

                /**
                 * Samples jitterMs.
                 * @member {Array.<number>} jitterMs
                 * @memberof carillon.agent.v1.Samples
                 * @instance
                 */
                Samples.prototype.jitterMs = $util.emptyArray;

                /**
                 * Samples jitterMaxMs.
                 * @member {Array.<number>} jitterMaxMs
                 * @memberof carillon.agent.v1.Samples
                 * @instance
                 */
                Samples.prototype.jitterMaxMs = $util.emptyArray;

                /**
                 * Samples rttMs.
                 * @member {Array.<number>} rttMs
                 * @memberof carillon.agent.v1.Samples
                 * @instance
                 */
                Samples.prototype.rttMs = $util.emptyArray;

                /**
                 * Samples mos.
                 * @member {Array.<number>} mos
                 * @memberof carillon.agent.v1.Samples
                 * @instance
                 */
                Samples.prototype.mos = $util.emptyArray;

                /**
                 * Samples rFactor.
                 * @member {Array.<number>} rFactor
                 * @memberof carillon.agent.v1.Samples
                 * @instance
                 */
                Samples.prototype.rFactor = $util.emptyArray;

                /**
                 * Samples remoteLossFraction.
                 * @member {Array.<number>} remoteLossFraction
                 * @memberof carillon.agent.v1.Samples
                 * @instance
                 */
                Samples.prototype.remoteLossFraction = $util.emptyArray;

                /**
                 * Samples remoteJitterMs.
                 * @member {Array.<number>} remoteJitterMs
                 * @memberof carillon.agent.v1.Samples
                 * @instance
                 */
                Samples.prototype.remoteJitterMs = $util.emptyArray;

                /**
                 * Samples octetsReceived.
                 * @member {Array.<number>} octetsReceived
                 * @memberof carillon.agent.v1.Samples
                 * @instance
                 */
                Samples.prototype.octetsReceived = $util.emptyArray;

                /**
                 * Samples scale.
                 * @member {Array.<carillon.agent.v1.Scale>} scale
                 * @memberof carillon.agent.v1.Samples
                 * @instance
                 */
                Samples.prototype.scale = $util.emptyArray;

                /**
                 * Encodes the specified Samples message. Does not implicitly {@link carillon.agent.v1.Samples.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Samples
                 * @static
                 * @param {carillon.agent.v1.Samples.$Properties} message Samples message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Samples.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.endpoint != null && message.endpoint.length)
                        writer.uint32(/* id 1, wireType 2 =*/10).uint32s(message.endpoint);
                    if (message.stream != null && message.stream.length)
                        writer.uint32(/* id 2, wireType 2 =*/18).uint32s(message.stream);
                    if (message.atMs != null && message.atMs.length)
                        writer.uint32(/* id 3, wireType 2 =*/26).floats(message.atMs);
                    if (message.intervalMs != null && message.intervalMs.length)
                        writer.uint32(/* id 4, wireType 2 =*/34).floats(message.intervalMs);
                    if (message.packetsSent != null && message.packetsSent.length)
                        writer.uint32(/* id 5, wireType 2 =*/42).uint32s(message.packetsSent);
                    if (message.packetsReceived != null && message.packetsReceived.length)
                        writer.uint32(/* id 6, wireType 2 =*/50).uint32s(message.packetsReceived);
                    if (message.expected != null && message.expected.length)
                        writer.uint32(/* id 7, wireType 2 =*/58).uint32s(message.expected);
                    if (message.lost != null && message.lost.length)
                        writer.uint32(/* id 8, wireType 2 =*/66).sint32s(message.lost);
                    if (message.discarded != null && message.discarded.length)
                        writer.uint32(/* id 9, wireType 2 =*/74).uint32s(message.discarded);
                    if (message.duplicates != null && message.duplicates.length)
                        writer.uint32(/* id 10, wireType 2 =*/82).uint32s(message.duplicates);
                    if (message.reordered != null && message.reordered.length)
                        writer.uint32(/* id 11, wireType 2 =*/90).uint32s(message.reordered);
                    if (message.plcEvents != null && message.plcEvents.length)
                        writer.uint32(/* id 12, wireType 2 =*/98).uint32s(message.plcEvents);
                    if (message.jitterMs != null && message.jitterMs.length)
                        writer.uint32(/* id 13, wireType 2 =*/106).floats(message.jitterMs);
                    if (message.jitterMaxMs != null && message.jitterMaxMs.length)
                        writer.uint32(/* id 14, wireType 2 =*/114).floats(message.jitterMaxMs);
                    if (message.rttMs != null && message.rttMs.length)
                        writer.uint32(/* id 15, wireType 2 =*/122).floats(message.rttMs);
                    if (message.mos != null && message.mos.length)
                        writer.uint32(/* id 16, wireType 2 =*/130).floats(message.mos);
                    if (message.rFactor != null && message.rFactor.length)
                        writer.uint32(/* id 17, wireType 2 =*/138).floats(message.rFactor);
                    if (message.remoteLossFraction != null && message.remoteLossFraction.length)
                        writer.uint32(/* id 18, wireType 2 =*/146).floats(message.remoteLossFraction);
                    if (message.remoteJitterMs != null && message.remoteJitterMs.length)
                        writer.uint32(/* id 19, wireType 2 =*/154).floats(message.remoteJitterMs);
                    if (message.octetsReceived != null && message.octetsReceived.length)
                        writer.uint32(/* id 20, wireType 2 =*/162).uint64s(message.octetsReceived);
                    if (message.scale != null && message.scale.length)
                        writer.uint32(/* id 21, wireType 2 =*/170).int32s(message.scale);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Samples message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Samples
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Samples & carillon.agent.v1.Samples.$Shape} Samples
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Samples.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Samples();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType === 2) {
                                    if (!(message.endpoint && message.endpoint.length))
                                        message.endpoint = [];
                                    reader.uint32s(message.endpoint);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.endpoint && message.endpoint.length))
                                    message.endpoint = [];
                                message.endpoint.push(reader.uint32());
                                continue;
                            }
                        case 2: {
                                if (wireType === 2) {
                                    if (!(message.stream && message.stream.length))
                                        message.stream = [];
                                    reader.uint32s(message.stream);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.stream && message.stream.length))
                                    message.stream = [];
                                message.stream.push(reader.uint32());
                                continue;
                            }
                        case 3: {
                                if (wireType === 2) {
                                    if (!(message.atMs && message.atMs.length))
                                        message.atMs = [];
                                    reader.floats(message.atMs);
                                    continue;
                                }
                                if (wireType !== 5)
                                    break;
                                if (!(message.atMs && message.atMs.length))
                                    message.atMs = [];
                                message.atMs.push(reader.float());
                                continue;
                            }
                        case 4: {
                                if (wireType === 2) {
                                    if (!(message.intervalMs && message.intervalMs.length))
                                        message.intervalMs = [];
                                    reader.floats(message.intervalMs);
                                    continue;
                                }
                                if (wireType !== 5)
                                    break;
                                if (!(message.intervalMs && message.intervalMs.length))
                                    message.intervalMs = [];
                                message.intervalMs.push(reader.float());
                                continue;
                            }
                        case 5: {
                                if (wireType === 2) {
                                    if (!(message.packetsSent && message.packetsSent.length))
                                        message.packetsSent = [];
                                    reader.uint32s(message.packetsSent);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.packetsSent && message.packetsSent.length))
                                    message.packetsSent = [];
                                message.packetsSent.push(reader.uint32());
                                continue;
                            }
                        case 6: {
                                if (wireType === 2) {
                                    if (!(message.packetsReceived && message.packetsReceived.length))
                                        message.packetsReceived = [];
                                    reader.uint32s(message.packetsReceived);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.packetsReceived && message.packetsReceived.length))
                                    message.packetsReceived = [];
                                message.packetsReceived.push(reader.uint32());
                                continue;
                            }
                        case 7: {
                                if (wireType === 2) {
                                    if (!(message.expected && message.expected.length))
                                        message.expected = [];
                                    reader.uint32s(message.expected);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.expected && message.expected.length))
                                    message.expected = [];
                                message.expected.push(reader.uint32());
                                continue;
                            }
                        case 8: {
                                if (wireType === 2) {
                                    if (!(message.lost && message.lost.length))
                                        message.lost = [];
                                    reader.sint32s(message.lost);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.lost && message.lost.length))
                                    message.lost = [];
                                message.lost.push(reader.sint32());
                                continue;
                            }
                        case 9: {
                                if (wireType === 2) {
                                    if (!(message.discarded && message.discarded.length))
                                        message.discarded = [];
                                    reader.uint32s(message.discarded);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.discarded && message.discarded.length))
                                    message.discarded = [];
                                message.discarded.push(reader.uint32());
                                continue;
                            }
                        case 10: {
                                if (wireType === 2) {
                                    if (!(message.duplicates && message.duplicates.length))
                                        message.duplicates = [];
                                    reader.uint32s(message.duplicates);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.duplicates && message.duplicates.length))
                                    message.duplicates = [];
                                message.duplicates.push(reader.uint32());
                                continue;
                            }
                        case 11: {
                                if (wireType === 2) {
                                    if (!(message.reordered && message.reordered.length))
                                        message.reordered = [];
                                    reader.uint32s(message.reordered);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.reordered && message.reordered.length))
                                    message.reordered = [];
                                message.reordered.push(reader.uint32());
                                continue;
                            }
                        case 12: {
                                if (wireType === 2) {
                                    if (!(message.plcEvents && message.plcEvents.length))
                                        message.plcEvents = [];
                                    reader.uint32s(message.plcEvents);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.plcEvents && message.plcEvents.length))
                                    message.plcEvents = [];
                                message.plcEvents.push(reader.uint32());
                                continue;
                            }
                        case 13: {
                                if (wireType === 2) {
                                    if (!(message.jitterMs && message.jitterMs.length))
                                        message.jitterMs = [];
                                    reader.floats(message.jitterMs);
                                    continue;
                                }
                                if (wireType !== 5)
                                    break;
                                if (!(message.jitterMs && message.jitterMs.length))
                                    message.jitterMs = [];
                                message.jitterMs.push(reader.float());
                                continue;
                            }
                        case 14: {
                                if (wireType === 2) {
                                    if (!(message.jitterMaxMs && message.jitterMaxMs.length))
                                        message.jitterMaxMs = [];
                                    reader.floats(message.jitterMaxMs);
                                    continue;
                                }
                                if (wireType !== 5)
                                    break;
                                if (!(message.jitterMaxMs && message.jitterMaxMs.length))
                                    message.jitterMaxMs = [];
                                message.jitterMaxMs.push(reader.float());
                                continue;
                            }
                        case 15: {
                                if (wireType === 2) {
                                    if (!(message.rttMs && message.rttMs.length))
                                        message.rttMs = [];
                                    reader.floats(message.rttMs);
                                    continue;
                                }
                                if (wireType !== 5)
                                    break;
                                if (!(message.rttMs && message.rttMs.length))
                                    message.rttMs = [];
                                message.rttMs.push(reader.float());
                                continue;
                            }
                        case 16: {
                                if (wireType === 2) {
                                    if (!(message.mos && message.mos.length))
                                        message.mos = [];
                                    reader.floats(message.mos);
                                    continue;
                                }
                                if (wireType !== 5)
                                    break;
                                if (!(message.mos && message.mos.length))
                                    message.mos = [];
                                message.mos.push(reader.float());
                                continue;
                            }
                        case 17: {
                                if (wireType === 2) {
                                    if (!(message.rFactor && message.rFactor.length))
                                        message.rFactor = [];
                                    reader.floats(message.rFactor);
                                    continue;
                                }
                                if (wireType !== 5)
                                    break;
                                if (!(message.rFactor && message.rFactor.length))
                                    message.rFactor = [];
                                message.rFactor.push(reader.float());
                                continue;
                            }
                        case 18: {
                                if (wireType === 2) {
                                    if (!(message.remoteLossFraction && message.remoteLossFraction.length))
                                        message.remoteLossFraction = [];
                                    reader.floats(message.remoteLossFraction);
                                    continue;
                                }
                                if (wireType !== 5)
                                    break;
                                if (!(message.remoteLossFraction && message.remoteLossFraction.length))
                                    message.remoteLossFraction = [];
                                message.remoteLossFraction.push(reader.float());
                                continue;
                            }
                        case 19: {
                                if (wireType === 2) {
                                    if (!(message.remoteJitterMs && message.remoteJitterMs.length))
                                        message.remoteJitterMs = [];
                                    reader.floats(message.remoteJitterMs);
                                    continue;
                                }
                                if (wireType !== 5)
                                    break;
                                if (!(message.remoteJitterMs && message.remoteJitterMs.length))
                                    message.remoteJitterMs = [];
                                message.remoteJitterMs.push(reader.float());
                                continue;
                            }
                        case 20: {
                                if (wireType === 2) {
                                    if (!(message.octetsReceived && message.octetsReceived.length))
                                        message.octetsReceived = [];
                                    reader.uint64s(message.octetsReceived);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.octetsReceived && message.octetsReceived.length))
                                    message.octetsReceived = [];
                                message.octetsReceived.push(reader.uint64());
                                continue;
                            }
                        case 21: {
                                if (wireType === 2) {
                                    if (!(message.scale && message.scale.length))
                                        message.scale = [];
                                    reader.int32s(message.scale);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.scale && message.scale.length))
                                    message.scale = [];
                                message.scale.push(reader.int32());
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Samples;
            })();

            /**
             * Scale enum.
             * @name carillon.agent.v1.Scale
             * @enum {number}
             * @property {number} UNRATED=0 UNRATED value
             * @property {number} NB=1 NB value
             * @property {number} WB=2 WB value
             * @property {number} FB=3 FB value
             */
            v1.Scale = (function() {
                const valuesById = $Object.create(null), values = $Object.create(valuesById);
                values[valuesById[0] = "UNRATED"] = 0;
                values[valuesById[1] = "NB"] = 1;
                values[valuesById[2] = "WB"] = 2;
                values[valuesById[3] = "FB"] = 3;
                return values;
            })();

            v1.StreamTotals = (function() {

                /**
                 * Properties of a StreamTotals.
                 * @typedef {Object} carillon.agent.v1.StreamTotals.$Properties
                 * @property {number|null} [endpoint] StreamTotals endpoint
                 * @property {number|null} [stream] StreamTotals stream
                 * @property {string|null} [codec] StreamTotals codec
                 * @property {number|null} [ssrcSent] StreamTotals ssrcSent
                 * @property {number|null} [ssrcReceived] StreamTotals ssrcReceived
                 * @property {string|null} [remote] StreamTotals remote
                 * @property {number|null} [packetsSent] StreamTotals packetsSent
                 * @property {number|null} [octetsSent] StreamTotals octetsSent
                 * @property {number|null} [packetsReceived] StreamTotals packetsReceived
                 * @property {number|null} [octetsReceived] StreamTotals octetsReceived
                 * @property {number|null} [expected] StreamTotals expected
                 * @property {number|null} [lost] StreamTotals lost
                 * @property {number|null} [discarded] StreamTotals discarded
                 * @property {number|null} [duplicates] StreamTotals duplicates
                 * @property {number|null} [reordered] StreamTotals reordered
                 * @property {number|null} [ssrcChanges] StreamTotals ssrcChanges
                 * @property {number|null} [plcEvents] StreamTotals plcEvents
                 * @property {number|null} [plcMs] StreamTotals plcMs
                 * @property {number|null} [jitterMeanMs] StreamTotals jitterMeanMs
                 * @property {number|null} [jitterMaxMs] StreamTotals jitterMaxMs
                 * @property {number|null} [rttMeanMs] StreamTotals rttMeanMs
                 * @property {number|null} [rttMaxMs] StreamTotals rttMaxMs
                 * @property {number|null} [rttCount] StreamTotals rttCount
                 * @property {number|null} [mos] StreamTotals mos
                 * @property {number|null} [rFactor] StreamTotals rFactor
                 * @property {number|null} [burstRatio] StreamTotals burstRatio
                 * @property {boolean|null} [feedback] StreamTotals feedback
                 * @property {number|null} [remoteLost] StreamTotals remoteLost
                 * @property {number|null} [remoteJitterMs] StreamTotals remoteJitterMs
                 * @property {number|null} [nackCount] StreamTotals nackCount
                 * @property {number|null} [pliCount] StreamTotals pliCount
                 * @property {number|null} [firCount] StreamTotals firCount
                 * @property {number|null} [sendsSkipped] StreamTotals sendsSkipped
                 * @property {number|null} [localPort] StreamTotals localPort
                 * @property {carillon.agent.v1.Scale|null} [scale] StreamTotals scale
                 * @property {carillon.agent.v1.StreamDetails.$Properties|null} [details] StreamTotals details
                 * @property {boolean|null} [figuresOnly] StreamTotals figuresOnly
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a StreamTotals.
                 * @memberof carillon.agent.v1
                 * @interface IStreamTotals
                 * @augments carillon.agent.v1.StreamTotals.$Properties
                 * @deprecated Use carillon.agent.v1.StreamTotals.$Properties instead.
                 */

                /**
                 * Shape of a StreamTotals.
                 * @typedef {carillon.agent.v1.StreamTotals.$Properties} carillon.agent.v1.StreamTotals.$Shape
                 */

                /**
                 * Constructs a new StreamTotals.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a StreamTotals.
                 * @constructor
                 * @param {carillon.agent.v1.StreamTotals.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const StreamTotals = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * StreamTotals endpoint.
                 * @member {number} endpoint
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.endpoint = 0;

                /**
                 * StreamTotals stream.
                 * @member {number} stream
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.stream = 0;

                /**
                 * StreamTotals codec.
                 * @member {string} codec
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.codec = "";

                /**
                 * StreamTotals ssrcSent.
                 * @member {number} ssrcSent
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.ssrcSent = 0;

                /**
                 * StreamTotals ssrcReceived.
                 * @member {number} ssrcReceived
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.ssrcReceived = 0;

                /**
                 * StreamTotals remote.
                 * @member {string} remote
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.remote = "";

                /**
                 * StreamTotals packetsSent.
                 * @member {number} packetsSent
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.packetsSent = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

                /**
                 * StreamTotals octetsSent.
                 * @member {number} octetsSent
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.octetsSent = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

                /**
                 * StreamTotals packetsReceived.
                 * @member {number} packetsReceived
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.packetsReceived = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

                /**
                 * StreamTotals octetsReceived.
                 * @member {number} octetsReceived
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.octetsReceived = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

                /**
                 * StreamTotals expected.
                 * @member {number} expected
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.expected = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

                /**
                 * StreamTotals lost.
                 * @member {number} lost
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.lost = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

                /**
                 * StreamTotals discarded.
                 * @member {number} discarded
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.discarded = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

                /**
                 * StreamTotals duplicates.
                 * @member {number} duplicates
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.duplicates = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

                /**
                 * StreamTotals reordered.
                 * @member {number} reordered
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.reordered = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

                /**
                 * StreamTotals ssrcChanges.
                 * @member {number} ssrcChanges
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.ssrcChanges = 0;

                /**
                 * StreamTotals plcEvents.
                 * @member {number} plcEvents
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.plcEvents = 0;

                /**
                 * StreamTotals plcMs.
                 * @member {number} plcMs
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.plcMs = 0;

                /**
                 * StreamTotals jitterMeanMs.
                 * @member {number} jitterMeanMs
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.jitterMeanMs = 0;

                /**
                 * StreamTotals jitterMaxMs.
                 * @member {number} jitterMaxMs
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.jitterMaxMs = 0;

                /**
                 * StreamTotals rttMeanMs.
                 * @member {number} rttMeanMs
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.rttMeanMs = 0;

                /**
                 * StreamTotals rttMaxMs.
                 * @member {number} rttMaxMs
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.rttMaxMs = 0;

                /**
                 * StreamTotals rttCount.
                 * @member {number} rttCount
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.rttCount = 0;

                /**
                 * StreamTotals mos.
                 * @member {number} mos
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.mos = 0;

                /**
                 * StreamTotals rFactor.
                 * @member {number} rFactor
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.rFactor = 0;

                /**
                 * StreamTotals burstRatio.
                 * @member {number} burstRatio
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.burstRatio = 0;

                /**
                 * StreamTotals feedback.
                 * @member {boolean} feedback
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.feedback = false;

                /**
                 * StreamTotals remoteLost.
                 * @member {number} remoteLost
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.remoteLost = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

                /**
                 * StreamTotals remoteJitterMs.
                 * @member {number} remoteJitterMs
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.remoteJitterMs = 0;

                /**
                 * StreamTotals nackCount.
                 * @member {number} nackCount
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.nackCount = 0;

                /**
                 * StreamTotals pliCount.
                 * @member {number} pliCount
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.pliCount = 0;

                /**
                 * StreamTotals firCount.
                 * @member {number} firCount
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.firCount = 0;

                /**
                 * StreamTotals sendsSkipped.
                 * @member {number} sendsSkipped
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.sendsSkipped = 0;

                /**
                 * StreamTotals localPort.
                 * @member {number} localPort
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.localPort = 0;

                /**
                 * StreamTotals scale.
                 * @member {carillon.agent.v1.Scale} scale
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.scale = 0;

                /**
                 * StreamTotals details.
                 * @member {carillon.agent.v1.StreamDetails.$Properties|null|undefined} details
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.details = null;

                /**
                 * StreamTotals figuresOnly.
                 * @member {boolean} figuresOnly
                 * @memberof carillon.agent.v1.StreamTotals
                 * @instance
                 */
                StreamTotals.prototype.figuresOnly = false;

                /**
                 * Encodes the specified StreamTotals message. Does not implicitly {@link carillon.agent.v1.StreamTotals.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.StreamTotals
                 * @static
                 * @param {carillon.agent.v1.StreamTotals.$Properties} message StreamTotals message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                StreamTotals.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.endpoint != null && $Object.hasOwnProperty.call(message, "endpoint") && message.endpoint !== 0)
                        writer.uint32(/* id 1, wireType 0 =*/8).uint32(message.endpoint);
                    if (message.stream != null && $Object.hasOwnProperty.call(message, "stream") && message.stream !== 0)
                        writer.uint32(/* id 2, wireType 0 =*/16).uint32(message.stream);
                    if (message.codec != null && $Object.hasOwnProperty.call(message, "codec") && message.codec !== "")
                        writer.uint32(/* id 3, wireType 2 =*/26).string(message.codec);
                    if (message.ssrcSent != null && $Object.hasOwnProperty.call(message, "ssrcSent") && message.ssrcSent !== 0)
                        writer.uint32(/* id 4, wireType 0 =*/32).uint32(message.ssrcSent);
                    if (message.ssrcReceived != null && $Object.hasOwnProperty.call(message, "ssrcReceived") && message.ssrcReceived !== 0)
                        writer.uint32(/* id 5, wireType 0 =*/40).uint32(message.ssrcReceived);
                    if (message.remote != null && $Object.hasOwnProperty.call(message, "remote") && message.remote !== "")
                        writer.uint32(/* id 6, wireType 2 =*/50).string(message.remote);
                    if (message.packetsSent != null && $Object.hasOwnProperty.call(message, "packetsSent") && (typeof message.packetsSent === "object" ? message.packetsSent.low || message.packetsSent.high : message.packetsSent !== 0))
                        writer.uint32(/* id 7, wireType 0 =*/56).uint64(message.packetsSent);
                    if (message.octetsSent != null && $Object.hasOwnProperty.call(message, "octetsSent") && (typeof message.octetsSent === "object" ? message.octetsSent.low || message.octetsSent.high : message.octetsSent !== 0))
                        writer.uint32(/* id 8, wireType 0 =*/64).uint64(message.octetsSent);
                    if (message.packetsReceived != null && $Object.hasOwnProperty.call(message, "packetsReceived") && (typeof message.packetsReceived === "object" ? message.packetsReceived.low || message.packetsReceived.high : message.packetsReceived !== 0))
                        writer.uint32(/* id 9, wireType 0 =*/72).uint64(message.packetsReceived);
                    if (message.octetsReceived != null && $Object.hasOwnProperty.call(message, "octetsReceived") && (typeof message.octetsReceived === "object" ? message.octetsReceived.low || message.octetsReceived.high : message.octetsReceived !== 0))
                        writer.uint32(/* id 10, wireType 0 =*/80).uint64(message.octetsReceived);
                    if (message.expected != null && $Object.hasOwnProperty.call(message, "expected") && (typeof message.expected === "object" ? message.expected.low || message.expected.high : message.expected !== 0))
                        writer.uint32(/* id 11, wireType 0 =*/88).uint64(message.expected);
                    if (message.lost != null && $Object.hasOwnProperty.call(message, "lost") && (typeof message.lost === "object" ? message.lost.low || message.lost.high : message.lost !== 0))
                        writer.uint32(/* id 12, wireType 0 =*/96).sint64(message.lost);
                    if (message.discarded != null && $Object.hasOwnProperty.call(message, "discarded") && (typeof message.discarded === "object" ? message.discarded.low || message.discarded.high : message.discarded !== 0))
                        writer.uint32(/* id 13, wireType 0 =*/104).uint64(message.discarded);
                    if (message.duplicates != null && $Object.hasOwnProperty.call(message, "duplicates") && (typeof message.duplicates === "object" ? message.duplicates.low || message.duplicates.high : message.duplicates !== 0))
                        writer.uint32(/* id 14, wireType 0 =*/112).uint64(message.duplicates);
                    if (message.reordered != null && $Object.hasOwnProperty.call(message, "reordered") && (typeof message.reordered === "object" ? message.reordered.low || message.reordered.high : message.reordered !== 0))
                        writer.uint32(/* id 15, wireType 0 =*/120).uint64(message.reordered);
                    if (message.ssrcChanges != null && $Object.hasOwnProperty.call(message, "ssrcChanges") && message.ssrcChanges !== 0)
                        writer.uint32(/* id 16, wireType 0 =*/128).uint32(message.ssrcChanges);
                    if (message.plcEvents != null && $Object.hasOwnProperty.call(message, "plcEvents") && message.plcEvents !== 0)
                        writer.uint32(/* id 17, wireType 0 =*/136).uint32(message.plcEvents);
                    if (message.plcMs != null && $Object.hasOwnProperty.call(message, "plcMs") && !$Object.is(message.plcMs, 0))
                        writer.uint32(/* id 18, wireType 5 =*/149).float(message.plcMs);
                    if (message.jitterMeanMs != null && $Object.hasOwnProperty.call(message, "jitterMeanMs") && !$Object.is(message.jitterMeanMs, 0))
                        writer.uint32(/* id 19, wireType 5 =*/157).float(message.jitterMeanMs);
                    if (message.jitterMaxMs != null && $Object.hasOwnProperty.call(message, "jitterMaxMs") && !$Object.is(message.jitterMaxMs, 0))
                        writer.uint32(/* id 20, wireType 5 =*/165).float(message.jitterMaxMs);
                    if (message.rttMeanMs != null && $Object.hasOwnProperty.call(message, "rttMeanMs") && !$Object.is(message.rttMeanMs, 0))
                        writer.uint32(/* id 21, wireType 5 =*/173).float(message.rttMeanMs);
                    if (message.rttMaxMs != null && $Object.hasOwnProperty.call(message, "rttMaxMs") && !$Object.is(message.rttMaxMs, 0))
                        writer.uint32(/* id 22, wireType 5 =*/181).float(message.rttMaxMs);
                    if (message.rttCount != null && $Object.hasOwnProperty.call(message, "rttCount") && message.rttCount !== 0)
                        writer.uint32(/* id 23, wireType 0 =*/184).uint32(message.rttCount);
                    if (message.mos != null && $Object.hasOwnProperty.call(message, "mos") && !$Object.is(message.mos, 0))
                        writer.uint32(/* id 24, wireType 5 =*/197).float(message.mos);
                    if (message.rFactor != null && $Object.hasOwnProperty.call(message, "rFactor") && !$Object.is(message.rFactor, 0))
                        writer.uint32(/* id 25, wireType 5 =*/205).float(message.rFactor);
                    if (message.burstRatio != null && $Object.hasOwnProperty.call(message, "burstRatio") && !$Object.is(message.burstRatio, 0))
                        writer.uint32(/* id 26, wireType 5 =*/213).float(message.burstRatio);
                    if (message.feedback != null && $Object.hasOwnProperty.call(message, "feedback") && message.feedback !== false)
                        writer.uint32(/* id 27, wireType 0 =*/216).bool(message.feedback);
                    if (message.remoteLost != null && $Object.hasOwnProperty.call(message, "remoteLost") && (typeof message.remoteLost === "object" ? message.remoteLost.low || message.remoteLost.high : message.remoteLost !== 0))
                        writer.uint32(/* id 28, wireType 0 =*/224).sint64(message.remoteLost);
                    if (message.remoteJitterMs != null && $Object.hasOwnProperty.call(message, "remoteJitterMs") && !$Object.is(message.remoteJitterMs, 0))
                        writer.uint32(/* id 29, wireType 5 =*/237).float(message.remoteJitterMs);
                    if (message.nackCount != null && $Object.hasOwnProperty.call(message, "nackCount") && message.nackCount !== 0)
                        writer.uint32(/* id 30, wireType 0 =*/240).uint32(message.nackCount);
                    if (message.pliCount != null && $Object.hasOwnProperty.call(message, "pliCount") && message.pliCount !== 0)
                        writer.uint32(/* id 31, wireType 0 =*/248).uint32(message.pliCount);
                    if (message.firCount != null && $Object.hasOwnProperty.call(message, "firCount") && message.firCount !== 0)
                        writer.uint32(/* id 32, wireType 0 =*/256).uint32(message.firCount);
                    if (message.sendsSkipped != null && $Object.hasOwnProperty.call(message, "sendsSkipped") && message.sendsSkipped !== 0)
                        writer.uint32(/* id 33, wireType 0 =*/264).uint32(message.sendsSkipped);
                    if (message.localPort != null && $Object.hasOwnProperty.call(message, "localPort") && message.localPort !== 0)
                        writer.uint32(/* id 34, wireType 0 =*/272).uint32(message.localPort);
                    if (message.scale != null && $Object.hasOwnProperty.call(message, "scale") && message.scale !== 0)
                        writer.uint32(/* id 35, wireType 0 =*/280).int32(message.scale);
                    if (message.details != null && $Object.hasOwnProperty.call(message, "details"))
                        $root.carillon.agent.v1.StreamDetails.encode(message.details, writer.uint32(/* id 36, wireType 2 =*/290).fork(), _depth + 1).ldelim();
                    if (message.figuresOnly != null && $Object.hasOwnProperty.call(message, "figuresOnly") && message.figuresOnly !== false)
                        writer.uint32(/* id 37, wireType 0 =*/296).bool(message.figuresOnly);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a StreamTotals message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.StreamTotals
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.StreamTotals & carillon.agent.v1.StreamTotals.$Shape} StreamTotals
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                StreamTotals.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.StreamTotals();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.endpoint = value;
                                else
                                    delete message.endpoint;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.stream = value;
                                else
                                    delete message.stream;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.codec = value;
                                else
                                    delete message.codec;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.ssrcSent = value;
                                else
                                    delete message.ssrcSent;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.ssrcReceived = value;
                                else
                                    delete message.ssrcReceived;
                                continue;
                            }
                        case 6: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.remote = value;
                                else
                                    delete message.remote;
                                continue;
                            }
                        case 7: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.packetsSent = value;
                                else
                                    delete message.packetsSent;
                                continue;
                            }
                        case 8: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.octetsSent = value;
                                else
                                    delete message.octetsSent;
                                continue;
                            }
                        case 9: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.packetsReceived = value;
                                else
                                    delete message.packetsReceived;
                                continue;
                            }
                        case 10: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.octetsReceived = value;
                                else
                                    delete message.octetsReceived;
                                continue;
                            }
                        case 11: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.expected = value;
                                else
                                    delete message.expected;
                                continue;
                            }
                        case 12: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.sint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.lost = value;
                                else
                                    delete message.lost;
                                continue;
                            }
                        case 13: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.discarded = value;
                                else
                                    delete message.discarded;
                                continue;
                            }
                        case 14: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.duplicates = value;
                                else
                                    delete message.duplicates;
                                continue;
                            }
                        case 15: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.reordered = value;
                                else
                                    delete message.reordered;
                                continue;
                            }
                        case 16: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.ssrcChanges = value;
                                else
                                    delete message.ssrcChanges;
                                continue;
                            }
                        case 17: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.plcEvents = value;
                                else
                                    delete message.plcEvents;
                                continue;
                            }
                        case 18: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.plcMs = value;
                                else
                                    delete message.plcMs;
                                continue;
                            }
                        case 19: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.jitterMeanMs = value;
                                else
                                    delete message.jitterMeanMs;
                                continue;
                            }
                        case 20: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.jitterMaxMs = value;
                                else
                                    delete message.jitterMaxMs;
                                continue;
                            }
                        case 21: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.rttMeanMs = value;
                                else
                                    delete message.rttMeanMs;
                                continue;
                            }
                        case 22: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.rttMaxMs = value;
                                else
                                    delete message.rttMaxMs;
                                continue;
                            }
                        case 23: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.rttCount = value;
                                else
                                    delete message.rttCount;
                                continue;
                            }
                        case 24: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.mos = value;
                                else
                                    delete message.mos;
                                continue;
                            }
                        case 25: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.rFactor = value;
                                else
                                    delete message.rFactor;
                                continue;
                            }
                        case 26: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.burstRatio = value;
                                else
                                    delete message.burstRatio;
                                continue;
                            }
                        case 27: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.feedback = value;
                                else
                                    delete message.feedback;
                                continue;
                            }
                        case 28: {
                                if (wireType !== 0)
                                    break;
                                if (typeof (value = reader.sint64()) === "object" ? value.low || value.high : value !== 0)
                                    message.remoteLost = value;
                                else
                                    delete message.remoteLost;
                                continue;
                            }
                        case 29: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.remoteJitterMs = value;
                                else
                                    delete message.remoteJitterMs;
                                continue;
                            }
                        case 30: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.nackCount = value;
                                else
                                    delete message.nackCount;
                                continue;
                            }
                        case 31: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.pliCount = value;
                                else
                                    delete message.pliCount;
                                continue;
                            }
                        case 32: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.firCount = value;
                                else
                                    delete message.firCount;
                                continue;
                            }
                        case 33: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.sendsSkipped = value;
                                else
                                    delete message.sendsSkipped;
                                continue;
                            }
                        case 34: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.localPort = value;
                                else
                                    delete message.localPort;
                                continue;
                            }
                        case 35: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.int32())
                                    message.scale = value;
                                else
                                    delete message.scale;
                                continue;
                            }
                        case 36: {
                                if (wireType !== 2)
                                    break;
                                message.details = $root.carillon.agent.v1.StreamDetails.decode(reader, reader.size(), $undefined, _depth + 1, message.details);
                                continue;
                            }
                        case 37: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.bool())
                                    message.figuresOnly = value;
                                else
                                    delete message.figuresOnly;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return StreamTotals;
            })();

            v1.StreamDetails = (function() {

                /**
                 * Properties of a StreamDetails.
                 * @typedef {Object} carillon.agent.v1.StreamDetails.$Properties
                 * @property {string|null} [emodelVariant] StreamDetails emodelVariant
                 * @property {string|null} [delaySource] StreamDetails delaySource
                 * @property {number|null} [mosLq] StreamDetails mosLq
                 * @property {carillon.agent.v1.DelayVariation.$Properties|null} [delayVariation] StreamDetails delayVariation
                 * @property {carillon.agent.v1.Bursts.$Properties|null} [bursts] StreamDetails bursts
                 * @property {carillon.agent.v1.Playout.$Properties|null} [fixed] StreamDetails fixed
                 * @property {carillon.agent.v1.Playout.$Properties|null} [adaptive] StreamDetails adaptive
                 * @property {number|null} [clockDriftPpm] StreamDetails clockDriftPpm
                 * @property {number|null} [restarts] StreamDetails restarts
                 * @property {number|null} [reorderExtentMax] StreamDetails reorderExtentMax
                 * @property {number|null} [talkspurts] StreamDetails talkspurts
                 * @property {number|null} [comfortNoisePackets] StreamDetails comfortNoisePackets
                 * @property {number|null} [eventPackets] StreamDetails eventPackets
                 * @property {number|null} [unexpectedPayloadTypes] StreamDetails unexpectedPayloadTypes
                 * @property {number|null} [receiveDrops] StreamDetails receiveDrops
                 * @property {number|null} [foreign] StreamDetails foreign
                 * @property {number|null} [followed] StreamDetails followed
                 * @property {carillon.agent.v1.Sound.$Properties|null} [sound] StreamDetails sound
                 * @property {string|null} [oneWayAudio] StreamDetails oneWayAudio
                 * @property {number|null} [remoteLossFraction] StreamDetails remoteLossFraction
                 * @property {carillon.agent.v1.RemoteVoipMetrics.$Properties|null} [remoteXr] StreamDetails remoteXr
                 * @property {string|null} [digitsSent] StreamDetails digitsSent
                 * @property {string|null} [digitsReceived] StreamDetails digitsReceived
                 * @property {number|null} [dscp] StreamDetails dscp
                 * @property {carillon.agent.v1.Injected.$Properties|null} [injected] StreamDetails injected
                 * @property {carillon.agent.v1.Security.$Properties|null} [security] StreamDetails security
                 * @property {carillon.agent.v1.Video.$Properties|null} [video] StreamDetails video
                 * @property {carillon.agent.v1.Absence.$Properties|null} [absence] StreamDetails absence
                 * @property {number|null} [unreachable] StreamDetails unreachable
                 * @property {number|null} [longestGapMs] StreamDetails longestGapMs
                 * @property {carillon.agent.v1.Ice.$Properties|null} [ice] StreamDetails ice
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a StreamDetails.
                 * @memberof carillon.agent.v1
                 * @interface IStreamDetails
                 * @augments carillon.agent.v1.StreamDetails.$Properties
                 * @deprecated Use carillon.agent.v1.StreamDetails.$Properties instead.
                 */

                /**
                 * Shape of a StreamDetails.
                 * @typedef {carillon.agent.v1.StreamDetails.$Properties} carillon.agent.v1.StreamDetails.$Shape
                 */

                /**
                 * Constructs a new StreamDetails.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a StreamDetails.
                 * @constructor
                 * @param {carillon.agent.v1.StreamDetails.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const StreamDetails = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * StreamDetails emodelVariant.
                 * @member {string} emodelVariant
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.emodelVariant = "";

                /**
                 * StreamDetails delaySource.
                 * @member {string} delaySource
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.delaySource = "";

                /**
                 * StreamDetails mosLq.
                 * @member {number} mosLq
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.mosLq = 0;

                /**
                 * StreamDetails delayVariation.
                 * @member {carillon.agent.v1.DelayVariation.$Properties|null|undefined} delayVariation
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.delayVariation = null;

                /**
                 * StreamDetails bursts.
                 * @member {carillon.agent.v1.Bursts.$Properties|null|undefined} bursts
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.bursts = null;

                /**
                 * StreamDetails fixed.
                 * @member {carillon.agent.v1.Playout.$Properties|null|undefined} fixed
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.fixed = null;

                /**
                 * StreamDetails adaptive.
                 * @member {carillon.agent.v1.Playout.$Properties|null|undefined} adaptive
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.adaptive = null;

                /**
                 * StreamDetails clockDriftPpm.
                 * @member {number} clockDriftPpm
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.clockDriftPpm = 0;

                /**
                 * StreamDetails restarts.
                 * @member {number} restarts
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.restarts = 0;

                /**
                 * StreamDetails reorderExtentMax.
                 * @member {number} reorderExtentMax
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.reorderExtentMax = 0;

                /**
                 * StreamDetails talkspurts.
                 * @member {number} talkspurts
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.talkspurts = 0;

                /**
                 * StreamDetails comfortNoisePackets.
                 * @member {number} comfortNoisePackets
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.comfortNoisePackets = 0;

                /**
                 * StreamDetails eventPackets.
                 * @member {number} eventPackets
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.eventPackets = 0;

                /**
                 * StreamDetails unexpectedPayloadTypes.
                 * @member {number} unexpectedPayloadTypes
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.unexpectedPayloadTypes = 0;

                /**
                 * StreamDetails receiveDrops.
                 * @member {number} receiveDrops
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.receiveDrops = 0;

                /**
                 * StreamDetails foreign.
                 * @member {number} foreign
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.foreign = 0;

                /**
                 * StreamDetails followed.
                 * @member {number} followed
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.followed = 0;

                /**
                 * StreamDetails sound.
                 * @member {carillon.agent.v1.Sound.$Properties|null|undefined} sound
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.sound = null;

                /**
                 * StreamDetails oneWayAudio.
                 * @member {string} oneWayAudio
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.oneWayAudio = "";

                /**
                 * StreamDetails remoteLossFraction.
                 * @member {number} remoteLossFraction
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.remoteLossFraction = 0;

                /**
                 * StreamDetails remoteXr.
                 * @member {carillon.agent.v1.RemoteVoipMetrics.$Properties|null|undefined} remoteXr
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.remoteXr = null;

                /**
                 * StreamDetails digitsSent.
                 * @member {string} digitsSent
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.digitsSent = "";

                /**
                 * StreamDetails digitsReceived.
                 * @member {string} digitsReceived
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.digitsReceived = "";

                /**
                 * StreamDetails dscp.
                 * @member {number|null|undefined} dscp
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.dscp = null;

                /**
                 * StreamDetails injected.
                 * @member {carillon.agent.v1.Injected.$Properties|null|undefined} injected
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.injected = null;

                /**
                 * StreamDetails security.
                 * @member {carillon.agent.v1.Security.$Properties|null|undefined} security
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.security = null;

                /**
                 * StreamDetails video.
                 * @member {carillon.agent.v1.Video.$Properties|null|undefined} video
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.video = null;

                /**
                 * StreamDetails absence.
                 * @member {carillon.agent.v1.Absence.$Properties|null|undefined} absence
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.absence = null;

                /**
                 * StreamDetails unreachable.
                 * @member {number} unreachable
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.unreachable = 0;

                /**
                 * StreamDetails longestGapMs.
                 * @member {number} longestGapMs
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.longestGapMs = 0;

                /**
                 * StreamDetails ice.
                 * @member {carillon.agent.v1.Ice.$Properties|null|undefined} ice
                 * @memberof carillon.agent.v1.StreamDetails
                 * @instance
                 */
                StreamDetails.prototype.ice = null;

                // OneOf field names bound to virtual getters and setters
                let $oneOfFields;

                // Virtual OneOf for proto3 optional field
                $Object.defineProperty(StreamDetails.prototype, "_dscp", {
                    get: $util.oneOfGetter($oneOfFields = ["dscp"]),
                    set: $util.oneOfSetter($oneOfFields)
                });

                /**
                 * Encodes the specified StreamDetails message. Does not implicitly {@link carillon.agent.v1.StreamDetails.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.StreamDetails
                 * @static
                 * @param {carillon.agent.v1.StreamDetails.$Properties} message StreamDetails message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                StreamDetails.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.emodelVariant != null && $Object.hasOwnProperty.call(message, "emodelVariant") && message.emodelVariant !== "")
                        writer.uint32(/* id 1, wireType 2 =*/10).string(message.emodelVariant);
                    if (message.delaySource != null && $Object.hasOwnProperty.call(message, "delaySource") && message.delaySource !== "")
                        writer.uint32(/* id 2, wireType 2 =*/18).string(message.delaySource);
                    if (message.mosLq != null && $Object.hasOwnProperty.call(message, "mosLq") && !$Object.is(message.mosLq, 0))
                        writer.uint32(/* id 3, wireType 5 =*/29).float(message.mosLq);
                    if (message.delayVariation != null && $Object.hasOwnProperty.call(message, "delayVariation"))
                        $root.carillon.agent.v1.DelayVariation.encode(message.delayVariation, writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
                    if (message.bursts != null && $Object.hasOwnProperty.call(message, "bursts"))
                        $root.carillon.agent.v1.Bursts.encode(message.bursts, writer.uint32(/* id 5, wireType 2 =*/42).fork(), _depth + 1).ldelim();
                    if (message.fixed != null && $Object.hasOwnProperty.call(message, "fixed"))
                        $root.carillon.agent.v1.Playout.encode(message.fixed, writer.uint32(/* id 6, wireType 2 =*/50).fork(), _depth + 1).ldelim();
                    if (message.adaptive != null && $Object.hasOwnProperty.call(message, "adaptive"))
                        $root.carillon.agent.v1.Playout.encode(message.adaptive, writer.uint32(/* id 7, wireType 2 =*/58).fork(), _depth + 1).ldelim();
                    if (message.clockDriftPpm != null && $Object.hasOwnProperty.call(message, "clockDriftPpm") && !$Object.is(message.clockDriftPpm, 0))
                        writer.uint32(/* id 8, wireType 5 =*/69).float(message.clockDriftPpm);
                    if (message.restarts != null && $Object.hasOwnProperty.call(message, "restarts") && message.restarts !== 0)
                        writer.uint32(/* id 9, wireType 0 =*/72).uint32(message.restarts);
                    if (message.reorderExtentMax != null && $Object.hasOwnProperty.call(message, "reorderExtentMax") && message.reorderExtentMax !== 0)
                        writer.uint32(/* id 10, wireType 0 =*/80).uint32(message.reorderExtentMax);
                    if (message.talkspurts != null && $Object.hasOwnProperty.call(message, "talkspurts") && message.talkspurts !== 0)
                        writer.uint32(/* id 11, wireType 0 =*/88).uint32(message.talkspurts);
                    if (message.comfortNoisePackets != null && $Object.hasOwnProperty.call(message, "comfortNoisePackets") && message.comfortNoisePackets !== 0)
                        writer.uint32(/* id 12, wireType 0 =*/96).uint32(message.comfortNoisePackets);
                    if (message.eventPackets != null && $Object.hasOwnProperty.call(message, "eventPackets") && message.eventPackets !== 0)
                        writer.uint32(/* id 13, wireType 0 =*/104).uint32(message.eventPackets);
                    if (message.unexpectedPayloadTypes != null && $Object.hasOwnProperty.call(message, "unexpectedPayloadTypes") && message.unexpectedPayloadTypes !== 0)
                        writer.uint32(/* id 14, wireType 0 =*/112).uint32(message.unexpectedPayloadTypes);
                    if (message.receiveDrops != null && $Object.hasOwnProperty.call(message, "receiveDrops") && message.receiveDrops !== 0)
                        writer.uint32(/* id 15, wireType 0 =*/120).uint32(message.receiveDrops);
                    if (message.foreign != null && $Object.hasOwnProperty.call(message, "foreign") && message.foreign !== 0)
                        writer.uint32(/* id 16, wireType 0 =*/128).uint32(message.foreign);
                    if (message.followed != null && $Object.hasOwnProperty.call(message, "followed") && message.followed !== 0)
                        writer.uint32(/* id 17, wireType 0 =*/136).uint32(message.followed);
                    if (message.sound != null && $Object.hasOwnProperty.call(message, "sound"))
                        $root.carillon.agent.v1.Sound.encode(message.sound, writer.uint32(/* id 18, wireType 2 =*/146).fork(), _depth + 1).ldelim();
                    if (message.oneWayAudio != null && $Object.hasOwnProperty.call(message, "oneWayAudio") && message.oneWayAudio !== "")
                        writer.uint32(/* id 19, wireType 2 =*/154).string(message.oneWayAudio);
                    if (message.remoteLossFraction != null && $Object.hasOwnProperty.call(message, "remoteLossFraction") && !$Object.is(message.remoteLossFraction, 0))
                        writer.uint32(/* id 20, wireType 5 =*/165).float(message.remoteLossFraction);
                    if (message.remoteXr != null && $Object.hasOwnProperty.call(message, "remoteXr"))
                        $root.carillon.agent.v1.RemoteVoipMetrics.encode(message.remoteXr, writer.uint32(/* id 21, wireType 2 =*/170).fork(), _depth + 1).ldelim();
                    if (message.digitsSent != null && $Object.hasOwnProperty.call(message, "digitsSent") && message.digitsSent !== "")
                        writer.uint32(/* id 22, wireType 2 =*/178).string(message.digitsSent);
                    if (message.digitsReceived != null && $Object.hasOwnProperty.call(message, "digitsReceived") && message.digitsReceived !== "")
                        writer.uint32(/* id 23, wireType 2 =*/186).string(message.digitsReceived);
                    if (message.dscp != null && $Object.hasOwnProperty.call(message, "dscp"))
                        writer.uint32(/* id 24, wireType 0 =*/192).uint32(message.dscp);
                    if (message.injected != null && $Object.hasOwnProperty.call(message, "injected"))
                        $root.carillon.agent.v1.Injected.encode(message.injected, writer.uint32(/* id 25, wireType 2 =*/202).fork(), _depth + 1).ldelim();
                    if (message.security != null && $Object.hasOwnProperty.call(message, "security"))
                        $root.carillon.agent.v1.Security.encode(message.security, writer.uint32(/* id 26, wireType 2 =*/210).fork(), _depth + 1).ldelim();
                    if (message.video != null && $Object.hasOwnProperty.call(message, "video"))
                        $root.carillon.agent.v1.Video.encode(message.video, writer.uint32(/* id 27, wireType 2 =*/218).fork(), _depth + 1).ldelim();
                    if (message.absence != null && $Object.hasOwnProperty.call(message, "absence"))
                        $root.carillon.agent.v1.Absence.encode(message.absence, writer.uint32(/* id 28, wireType 2 =*/226).fork(), _depth + 1).ldelim();
                    if (message.unreachable != null && $Object.hasOwnProperty.call(message, "unreachable") && message.unreachable !== 0)
                        writer.uint32(/* id 29, wireType 0 =*/232).uint32(message.unreachable);
                    if (message.longestGapMs != null && $Object.hasOwnProperty.call(message, "longestGapMs") && !$Object.is(message.longestGapMs, 0))
                        writer.uint32(/* id 30, wireType 5 =*/245).float(message.longestGapMs);
                    if (message.ice != null && $Object.hasOwnProperty.call(message, "ice"))
                        $root.carillon.agent.v1.Ice.encode(message.ice, writer.uint32(/* id 31, wireType 2 =*/250).fork(), _depth + 1).ldelim();
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a StreamDetails message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.StreamDetails
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.StreamDetails & carillon.agent.v1.StreamDetails.$Shape} StreamDetails
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                StreamDetails.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.StreamDetails();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.emodelVariant = value;
                                else
                                    delete message.emodelVariant;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.delaySource = value;
                                else
                                    delete message.delaySource;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.mosLq = value;
                                else
                                    delete message.mosLq;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                message.delayVariation = $root.carillon.agent.v1.DelayVariation.decode(reader, reader.size(), $undefined, _depth + 1, message.delayVariation);
                                continue;
                            }
                        case 5: {
                                if (wireType !== 2)
                                    break;
                                message.bursts = $root.carillon.agent.v1.Bursts.decode(reader, reader.size(), $undefined, _depth + 1, message.bursts);
                                continue;
                            }
                        case 6: {
                                if (wireType !== 2)
                                    break;
                                message.fixed = $root.carillon.agent.v1.Playout.decode(reader, reader.size(), $undefined, _depth + 1, message.fixed);
                                continue;
                            }
                        case 7: {
                                if (wireType !== 2)
                                    break;
                                message.adaptive = $root.carillon.agent.v1.Playout.decode(reader, reader.size(), $undefined, _depth + 1, message.adaptive);
                                continue;
                            }
                        case 8: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.clockDriftPpm = value;
                                else
                                    delete message.clockDriftPpm;
                                continue;
                            }
                        case 9: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.restarts = value;
                                else
                                    delete message.restarts;
                                continue;
                            }
                        case 10: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.reorderExtentMax = value;
                                else
                                    delete message.reorderExtentMax;
                                continue;
                            }
                        case 11: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.talkspurts = value;
                                else
                                    delete message.talkspurts;
                                continue;
                            }
                        case 12: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.comfortNoisePackets = value;
                                else
                                    delete message.comfortNoisePackets;
                                continue;
                            }
                        case 13: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.eventPackets = value;
                                else
                                    delete message.eventPackets;
                                continue;
                            }
                        case 14: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.unexpectedPayloadTypes = value;
                                else
                                    delete message.unexpectedPayloadTypes;
                                continue;
                            }
                        case 15: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.receiveDrops = value;
                                else
                                    delete message.receiveDrops;
                                continue;
                            }
                        case 16: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.foreign = value;
                                else
                                    delete message.foreign;
                                continue;
                            }
                        case 17: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.followed = value;
                                else
                                    delete message.followed;
                                continue;
                            }
                        case 18: {
                                if (wireType !== 2)
                                    break;
                                message.sound = $root.carillon.agent.v1.Sound.decode(reader, reader.size(), $undefined, _depth + 1, message.sound);
                                continue;
                            }
                        case 19: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.oneWayAudio = value;
                                else
                                    delete message.oneWayAudio;
                                continue;
                            }
                        case 20: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.remoteLossFraction = value;
                                else
                                    delete message.remoteLossFraction;
                                continue;
                            }
                        case 21: {
                                if (wireType !== 2)
                                    break;
                                message.remoteXr = $root.carillon.agent.v1.RemoteVoipMetrics.decode(reader, reader.size(), $undefined, _depth + 1, message.remoteXr);
                                continue;
                            }
                        case 22: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.digitsSent = value;
                                else
                                    delete message.digitsSent;
                                continue;
                            }
                        case 23: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.digitsReceived = value;
                                else
                                    delete message.digitsReceived;
                                continue;
                            }
                        case 24: {
                                if (wireType !== 0)
                                    break;
                                message.dscp = reader.uint32();
                                message._dscp = "dscp";
                                continue;
                            }
                        case 25: {
                                if (wireType !== 2)
                                    break;
                                message.injected = $root.carillon.agent.v1.Injected.decode(reader, reader.size(), $undefined, _depth + 1, message.injected);
                                continue;
                            }
                        case 26: {
                                if (wireType !== 2)
                                    break;
                                message.security = $root.carillon.agent.v1.Security.decode(reader, reader.size(), $undefined, _depth + 1, message.security);
                                continue;
                            }
                        case 27: {
                                if (wireType !== 2)
                                    break;
                                message.video = $root.carillon.agent.v1.Video.decode(reader, reader.size(), $undefined, _depth + 1, message.video);
                                continue;
                            }
                        case 28: {
                                if (wireType !== 2)
                                    break;
                                message.absence = $root.carillon.agent.v1.Absence.decode(reader, reader.size(), $undefined, _depth + 1, message.absence);
                                continue;
                            }
                        case 29: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.unreachable = value;
                                else
                                    delete message.unreachable;
                                continue;
                            }
                        case 30: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.longestGapMs = value;
                                else
                                    delete message.longestGapMs;
                                continue;
                            }
                        case 31: {
                                if (wireType !== 2)
                                    break;
                                message.ice = $root.carillon.agent.v1.Ice.decode(reader, reader.size(), $undefined, _depth + 1, message.ice);
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return StreamDetails;
            })();

            v1.Absence = (function() {

                /**
                 * Properties of an Absence.
                 * @typedef {Object} carillon.agent.v1.Absence.$Properties
                 * @property {number|null} [awaitedMs] Absence awaitedMs
                 * @property {number|null} [absentMs] Absence absentMs
                 * @property {number|null} [headMs] Absence headMs
                 * @property {number|null} [gaps] Absence gaps
                 * @property {number|null} [longestGapMs] Absence longestGapMs
                 * @property {number|null} [longestGapUnixMs] Absence longestGapUnixMs
                 * @property {number|null} [tailMs] Absence tailMs
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of an Absence.
                 * @memberof carillon.agent.v1
                 * @interface IAbsence
                 * @augments carillon.agent.v1.Absence.$Properties
                 * @deprecated Use carillon.agent.v1.Absence.$Properties instead.
                 */

                /**
                 * Shape of an Absence.
                 * @typedef {carillon.agent.v1.Absence.$Properties} carillon.agent.v1.Absence.$Shape
                 */

                /**
                 * Constructs a new Absence.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents an Absence.
                 * @constructor
                 * @param {carillon.agent.v1.Absence.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Absence = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Absence awaitedMs.
                 * @member {number} awaitedMs
                 * @memberof carillon.agent.v1.Absence
                 * @instance
                 */
                Absence.prototype.awaitedMs = 0;

                /**
                 * Absence absentMs.
                 * @member {number} absentMs
                 * @memberof carillon.agent.v1.Absence
                 * @instance
                 */
                Absence.prototype.absentMs = 0;

                /**
                 * Absence headMs.
                 * @member {number} headMs
                 * @memberof carillon.agent.v1.Absence
                 * @instance
                 */
                Absence.prototype.headMs = 0;

                /**
                 * Absence gaps.
                 * @member {number} gaps
                 * @memberof carillon.agent.v1.Absence
                 * @instance
                 */
                Absence.prototype.gaps = 0;

                /**
                 * Absence longestGapMs.
                 * @member {number} longestGapMs
                 * @memberof carillon.agent.v1.Absence
                 * @instance
                 */
                Absence.prototype.longestGapMs = 0;

                /**
                 * Absence longestGapUnixMs.
                 * @member {number} longestGapUnixMs
                 * @memberof carillon.agent.v1.Absence
                 * @instance
                 */
                Absence.prototype.longestGapUnixMs = 0;

                /**
                 * Absence tailMs.
                 * @member {number} tailMs
                 * @memberof carillon.agent.v1.Absence
                 * @instance
                 */
                Absence.prototype.tailMs = 0;

                /**
                 * Encodes the specified Absence message. Does not implicitly {@link carillon.agent.v1.Absence.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Absence
                 * @static
                 * @param {carillon.agent.v1.Absence.$Properties} message Absence message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Absence.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.awaitedMs != null && $Object.hasOwnProperty.call(message, "awaitedMs") && !$Object.is(message.awaitedMs, 0))
                        writer.uint32(/* id 1, wireType 5 =*/13).float(message.awaitedMs);
                    if (message.absentMs != null && $Object.hasOwnProperty.call(message, "absentMs") && !$Object.is(message.absentMs, 0))
                        writer.uint32(/* id 2, wireType 5 =*/21).float(message.absentMs);
                    if (message.headMs != null && $Object.hasOwnProperty.call(message, "headMs") && !$Object.is(message.headMs, 0))
                        writer.uint32(/* id 3, wireType 5 =*/29).float(message.headMs);
                    if (message.gaps != null && $Object.hasOwnProperty.call(message, "gaps") && message.gaps !== 0)
                        writer.uint32(/* id 4, wireType 0 =*/32).uint32(message.gaps);
                    if (message.longestGapMs != null && $Object.hasOwnProperty.call(message, "longestGapMs") && !$Object.is(message.longestGapMs, 0))
                        writer.uint32(/* id 5, wireType 5 =*/45).float(message.longestGapMs);
                    if (message.longestGapUnixMs != null && $Object.hasOwnProperty.call(message, "longestGapUnixMs") && !$Object.is(message.longestGapUnixMs, 0))
                        writer.uint32(/* id 6, wireType 1 =*/49).double(message.longestGapUnixMs);
                    if (message.tailMs != null && $Object.hasOwnProperty.call(message, "tailMs") && !$Object.is(message.tailMs, 0))
                        writer.uint32(/* id 7, wireType 5 =*/61).float(message.tailMs);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes an Absence message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Absence
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Absence & carillon.agent.v1.Absence.$Shape} Absence
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Absence.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Absence();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.awaitedMs = value;
                                else
                                    delete message.awaitedMs;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.absentMs = value;
                                else
                                    delete message.absentMs;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.headMs = value;
                                else
                                    delete message.headMs;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.gaps = value;
                                else
                                    delete message.gaps;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.longestGapMs = value;
                                else
                                    delete message.longestGapMs;
                                continue;
                            }
                        case 6: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.longestGapUnixMs = value;
                                else
                                    delete message.longestGapUnixMs;
                                continue;
                            }
                        case 7: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.tailMs = value;
                                else
                                    delete message.tailMs;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Absence;
            })();

            v1.DelayVariation = (function() {

                /**
                 * Properties of a DelayVariation.
                 * @typedef {Object} carillon.agent.v1.DelayVariation.$Properties
                 * @property {number|null} [p50Ms] DelayVariation p50Ms
                 * @property {number|null} [p95Ms] DelayVariation p95Ms
                 * @property {number|null} [p99Ms] DelayVariation p99Ms
                 * @property {number|null} [maxMs] DelayVariation maxMs
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a DelayVariation.
                 * @memberof carillon.agent.v1
                 * @interface IDelayVariation
                 * @augments carillon.agent.v1.DelayVariation.$Properties
                 * @deprecated Use carillon.agent.v1.DelayVariation.$Properties instead.
                 */

                /**
                 * Shape of a DelayVariation.
                 * @typedef {carillon.agent.v1.DelayVariation.$Properties} carillon.agent.v1.DelayVariation.$Shape
                 */

                /**
                 * Constructs a new DelayVariation.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a DelayVariation.
                 * @constructor
                 * @param {carillon.agent.v1.DelayVariation.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const DelayVariation = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * DelayVariation p50Ms.
                 * @member {number} p50Ms
                 * @memberof carillon.agent.v1.DelayVariation
                 * @instance
                 */
                DelayVariation.prototype.p50Ms = 0;

                /**
                 * DelayVariation p95Ms.
                 * @member {number} p95Ms
                 * @memberof carillon.agent.v1.DelayVariation
                 * @instance
                 */
                DelayVariation.prototype.p95Ms = 0;

                /**
                 * DelayVariation p99Ms.
                 * @member {number} p99Ms
                 * @memberof carillon.agent.v1.DelayVariation
                 * @instance
                 */
                DelayVariation.prototype.p99Ms = 0;

                /**
                 * DelayVariation maxMs.
                 * @member {number} maxMs
                 * @memberof carillon.agent.v1.DelayVariation
                 * @instance
                 */
                DelayVariation.prototype.maxMs = 0;

                /**
                 * Encodes the specified DelayVariation message. Does not implicitly {@link carillon.agent.v1.DelayVariation.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.DelayVariation
                 * @static
                 * @param {carillon.agent.v1.DelayVariation.$Properties} message DelayVariation message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                DelayVariation.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.p50Ms != null && $Object.hasOwnProperty.call(message, "p50Ms") && !$Object.is(message.p50Ms, 0))
                        writer.uint32(/* id 1, wireType 5 =*/13).float(message.p50Ms);
                    if (message.p95Ms != null && $Object.hasOwnProperty.call(message, "p95Ms") && !$Object.is(message.p95Ms, 0))
                        writer.uint32(/* id 2, wireType 5 =*/21).float(message.p95Ms);
                    if (message.p99Ms != null && $Object.hasOwnProperty.call(message, "p99Ms") && !$Object.is(message.p99Ms, 0))
                        writer.uint32(/* id 3, wireType 5 =*/29).float(message.p99Ms);
                    if (message.maxMs != null && $Object.hasOwnProperty.call(message, "maxMs") && !$Object.is(message.maxMs, 0))
                        writer.uint32(/* id 4, wireType 5 =*/37).float(message.maxMs);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a DelayVariation message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.DelayVariation
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.DelayVariation & carillon.agent.v1.DelayVariation.$Shape} DelayVariation
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                DelayVariation.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.DelayVariation();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.p50Ms = value;
                                else
                                    delete message.p50Ms;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.p95Ms = value;
                                else
                                    delete message.p95Ms;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.p99Ms = value;
                                else
                                    delete message.p99Ms;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.maxMs = value;
                                else
                                    delete message.maxMs;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return DelayVariation;
            })();

            v1.Bursts = (function() {

                /**
                 * Properties of a Bursts.
                 * @typedef {Object} carillon.agent.v1.Bursts.$Properties
                 * @property {number|null} [bursts] Bursts bursts
                 * @property {number|null} [burstDensity] Bursts burstDensity
                 * @property {number|null} [gapDensity] Bursts gapDensity
                 * @property {number|null} [burstMs] Bursts burstMs
                 * @property {number|null} [gapMs] Bursts gapMs
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Bursts.
                 * @memberof carillon.agent.v1
                 * @interface IBursts
                 * @augments carillon.agent.v1.Bursts.$Properties
                 * @deprecated Use carillon.agent.v1.Bursts.$Properties instead.
                 */

                /**
                 * Shape of a Bursts.
                 * @typedef {carillon.agent.v1.Bursts.$Properties} carillon.agent.v1.Bursts.$Shape
                 */

                /**
                 * Constructs a new Bursts.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Bursts.
                 * @constructor
                 * @param {carillon.agent.v1.Bursts.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Bursts = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Bursts bursts.
                 * @member {number} bursts
                 * @memberof carillon.agent.v1.Bursts
                 * @instance
                 */
                Bursts.prototype.bursts = 0;

                /**
                 * Bursts burstDensity.
                 * @member {number} burstDensity
                 * @memberof carillon.agent.v1.Bursts
                 * @instance
                 */
                Bursts.prototype.burstDensity = 0;

                /**
                 * Bursts gapDensity.
                 * @member {number} gapDensity
                 * @memberof carillon.agent.v1.Bursts
                 * @instance
                 */
                Bursts.prototype.gapDensity = 0;

                /**
                 * Bursts burstMs.
                 * @member {number} burstMs
                 * @memberof carillon.agent.v1.Bursts
                 * @instance
                 */
                Bursts.prototype.burstMs = 0;

                /**
                 * Bursts gapMs.
                 * @member {number} gapMs
                 * @memberof carillon.agent.v1.Bursts
                 * @instance
                 */
                Bursts.prototype.gapMs = 0;

                /**
                 * Encodes the specified Bursts message. Does not implicitly {@link carillon.agent.v1.Bursts.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Bursts
                 * @static
                 * @param {carillon.agent.v1.Bursts.$Properties} message Bursts message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Bursts.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.bursts != null && $Object.hasOwnProperty.call(message, "bursts") && message.bursts !== 0)
                        writer.uint32(/* id 1, wireType 0 =*/8).uint32(message.bursts);
                    if (message.burstDensity != null && $Object.hasOwnProperty.call(message, "burstDensity") && !$Object.is(message.burstDensity, 0))
                        writer.uint32(/* id 2, wireType 5 =*/21).float(message.burstDensity);
                    if (message.gapDensity != null && $Object.hasOwnProperty.call(message, "gapDensity") && !$Object.is(message.gapDensity, 0))
                        writer.uint32(/* id 3, wireType 5 =*/29).float(message.gapDensity);
                    if (message.burstMs != null && $Object.hasOwnProperty.call(message, "burstMs") && !$Object.is(message.burstMs, 0))
                        writer.uint32(/* id 4, wireType 5 =*/37).float(message.burstMs);
                    if (message.gapMs != null && $Object.hasOwnProperty.call(message, "gapMs") && !$Object.is(message.gapMs, 0))
                        writer.uint32(/* id 5, wireType 5 =*/45).float(message.gapMs);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Bursts message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Bursts
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Bursts & carillon.agent.v1.Bursts.$Shape} Bursts
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Bursts.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Bursts();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.bursts = value;
                                else
                                    delete message.bursts;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.burstDensity = value;
                                else
                                    delete message.burstDensity;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.gapDensity = value;
                                else
                                    delete message.gapDensity;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.burstMs = value;
                                else
                                    delete message.burstMs;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.gapMs = value;
                                else
                                    delete message.gapMs;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Bursts;
            })();

            v1.Playout = (function() {

                /**
                 * Properties of a Playout.
                 * @typedef {Object} carillon.agent.v1.Playout.$Properties
                 * @property {number|null} [discarded] Playout discarded
                 * @property {number|null} [plcEvents] Playout plcEvents
                 * @property {number|null} [plcMs] Playout plcMs
                 * @property {number|null} [plcMaxMs] Playout plcMaxMs
                 * @property {number|null} [bufferMs] Playout bufferMs
                 * @property {number|null} [mos] Playout mos
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Playout.
                 * @memberof carillon.agent.v1
                 * @interface IPlayout
                 * @augments carillon.agent.v1.Playout.$Properties
                 * @deprecated Use carillon.agent.v1.Playout.$Properties instead.
                 */

                /**
                 * Shape of a Playout.
                 * @typedef {carillon.agent.v1.Playout.$Properties} carillon.agent.v1.Playout.$Shape
                 */

                /**
                 * Constructs a new Playout.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Playout.
                 * @constructor
                 * @param {carillon.agent.v1.Playout.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Playout = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Playout discarded.
                 * @member {number} discarded
                 * @memberof carillon.agent.v1.Playout
                 * @instance
                 */
                Playout.prototype.discarded = 0;

                /**
                 * Playout plcEvents.
                 * @member {number} plcEvents
                 * @memberof carillon.agent.v1.Playout
                 * @instance
                 */
                Playout.prototype.plcEvents = 0;

                /**
                 * Playout plcMs.
                 * @member {number} plcMs
                 * @memberof carillon.agent.v1.Playout
                 * @instance
                 */
                Playout.prototype.plcMs = 0;

                /**
                 * Playout plcMaxMs.
                 * @member {number} plcMaxMs
                 * @memberof carillon.agent.v1.Playout
                 * @instance
                 */
                Playout.prototype.plcMaxMs = 0;

                /**
                 * Playout bufferMs.
                 * @member {number} bufferMs
                 * @memberof carillon.agent.v1.Playout
                 * @instance
                 */
                Playout.prototype.bufferMs = 0;

                /**
                 * Playout mos.
                 * @member {number} mos
                 * @memberof carillon.agent.v1.Playout
                 * @instance
                 */
                Playout.prototype.mos = 0;

                /**
                 * Encodes the specified Playout message. Does not implicitly {@link carillon.agent.v1.Playout.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Playout
                 * @static
                 * @param {carillon.agent.v1.Playout.$Properties} message Playout message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Playout.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.discarded != null && $Object.hasOwnProperty.call(message, "discarded") && message.discarded !== 0)
                        writer.uint32(/* id 1, wireType 0 =*/8).uint32(message.discarded);
                    if (message.plcEvents != null && $Object.hasOwnProperty.call(message, "plcEvents") && message.plcEvents !== 0)
                        writer.uint32(/* id 2, wireType 0 =*/16).uint32(message.plcEvents);
                    if (message.plcMs != null && $Object.hasOwnProperty.call(message, "plcMs") && !$Object.is(message.plcMs, 0))
                        writer.uint32(/* id 3, wireType 5 =*/29).float(message.plcMs);
                    if (message.plcMaxMs != null && $Object.hasOwnProperty.call(message, "plcMaxMs") && !$Object.is(message.plcMaxMs, 0))
                        writer.uint32(/* id 4, wireType 5 =*/37).float(message.plcMaxMs);
                    if (message.bufferMs != null && $Object.hasOwnProperty.call(message, "bufferMs") && !$Object.is(message.bufferMs, 0))
                        writer.uint32(/* id 5, wireType 5 =*/45).float(message.bufferMs);
                    if (message.mos != null && $Object.hasOwnProperty.call(message, "mos") && !$Object.is(message.mos, 0))
                        writer.uint32(/* id 6, wireType 5 =*/53).float(message.mos);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Playout message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Playout
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Playout & carillon.agent.v1.Playout.$Shape} Playout
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Playout.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Playout();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.discarded = value;
                                else
                                    delete message.discarded;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.plcEvents = value;
                                else
                                    delete message.plcEvents;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.plcMs = value;
                                else
                                    delete message.plcMs;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.plcMaxMs = value;
                                else
                                    delete message.plcMaxMs;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.bufferMs = value;
                                else
                                    delete message.bufferMs;
                                continue;
                            }
                        case 6: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.mos = value;
                                else
                                    delete message.mos;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Playout;
            })();

            v1.Sound = (function() {

                /**
                 * Properties of a Sound.
                 * @typedef {Object} carillon.agent.v1.Sound.$Properties
                 * @property {number|null} [frames] Sound frames
                 * @property {number|null} [levelDbov] Sound levelDbov
                 * @property {number|null} [silentShare] Sound silentShare
                 * @property {number|null} [clippedShare] Sound clippedShare
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Sound.
                 * @memberof carillon.agent.v1
                 * @interface ISound
                 * @augments carillon.agent.v1.Sound.$Properties
                 * @deprecated Use carillon.agent.v1.Sound.$Properties instead.
                 */

                /**
                 * Shape of a Sound.
                 * @typedef {carillon.agent.v1.Sound.$Properties} carillon.agent.v1.Sound.$Shape
                 */

                /**
                 * Constructs a new Sound.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Sound.
                 * @constructor
                 * @param {carillon.agent.v1.Sound.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Sound = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Sound frames.
                 * @member {number} frames
                 * @memberof carillon.agent.v1.Sound
                 * @instance
                 */
                Sound.prototype.frames = 0;

                /**
                 * Sound levelDbov.
                 * @member {number} levelDbov
                 * @memberof carillon.agent.v1.Sound
                 * @instance
                 */
                Sound.prototype.levelDbov = 0;

                /**
                 * Sound silentShare.
                 * @member {number} silentShare
                 * @memberof carillon.agent.v1.Sound
                 * @instance
                 */
                Sound.prototype.silentShare = 0;

                /**
                 * Sound clippedShare.
                 * @member {number} clippedShare
                 * @memberof carillon.agent.v1.Sound
                 * @instance
                 */
                Sound.prototype.clippedShare = 0;

                /**
                 * Encodes the specified Sound message. Does not implicitly {@link carillon.agent.v1.Sound.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Sound
                 * @static
                 * @param {carillon.agent.v1.Sound.$Properties} message Sound message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Sound.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.frames != null && $Object.hasOwnProperty.call(message, "frames") && message.frames !== 0)
                        writer.uint32(/* id 1, wireType 0 =*/8).uint32(message.frames);
                    if (message.levelDbov != null && $Object.hasOwnProperty.call(message, "levelDbov") && !$Object.is(message.levelDbov, 0))
                        writer.uint32(/* id 2, wireType 5 =*/21).float(message.levelDbov);
                    if (message.silentShare != null && $Object.hasOwnProperty.call(message, "silentShare") && !$Object.is(message.silentShare, 0))
                        writer.uint32(/* id 3, wireType 5 =*/29).float(message.silentShare);
                    if (message.clippedShare != null && $Object.hasOwnProperty.call(message, "clippedShare") && !$Object.is(message.clippedShare, 0))
                        writer.uint32(/* id 4, wireType 5 =*/37).float(message.clippedShare);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Sound message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Sound
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Sound & carillon.agent.v1.Sound.$Shape} Sound
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Sound.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Sound();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.frames = value;
                                else
                                    delete message.frames;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.levelDbov = value;
                                else
                                    delete message.levelDbov;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.silentShare = value;
                                else
                                    delete message.silentShare;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.clippedShare = value;
                                else
                                    delete message.clippedShare;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Sound;
            })();

            v1.RemoteVoipMetrics = (function() {

                /**
                 * Properties of a RemoteVoipMetrics.
                 * @typedef {Object} carillon.agent.v1.RemoteVoipMetrics.$Properties
                 * @property {number|null} [lossFraction] RemoteVoipMetrics lossFraction
                 * @property {number|null} [discardFraction] RemoteVoipMetrics discardFraction
                 * @property {number|null} [burstDensity] RemoteVoipMetrics burstDensity
                 * @property {number|null} [gapDensity] RemoteVoipMetrics gapDensity
                 * @property {number|null} [burstMs] RemoteVoipMetrics burstMs
                 * @property {number|null} [gapMs] RemoteVoipMetrics gapMs
                 * @property {number|null} [endSystemMs] RemoteVoipMetrics endSystemMs
                 * @property {number|null} [rFactor] RemoteVoipMetrics rFactor
                 * @property {number|null} [mosLq] RemoteVoipMetrics mosLq
                 * @property {number|null} [mosCq] RemoteVoipMetrics mosCq
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a RemoteVoipMetrics.
                 * @memberof carillon.agent.v1
                 * @interface IRemoteVoipMetrics
                 * @augments carillon.agent.v1.RemoteVoipMetrics.$Properties
                 * @deprecated Use carillon.agent.v1.RemoteVoipMetrics.$Properties instead.
                 */

                /**
                 * Shape of a RemoteVoipMetrics.
                 * @typedef {carillon.agent.v1.RemoteVoipMetrics.$Properties} carillon.agent.v1.RemoteVoipMetrics.$Shape
                 */

                /**
                 * Constructs a new RemoteVoipMetrics.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a RemoteVoipMetrics.
                 * @constructor
                 * @param {carillon.agent.v1.RemoteVoipMetrics.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const RemoteVoipMetrics = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * RemoteVoipMetrics lossFraction.
                 * @member {number} lossFraction
                 * @memberof carillon.agent.v1.RemoteVoipMetrics
                 * @instance
                 */
                RemoteVoipMetrics.prototype.lossFraction = 0;

                /**
                 * RemoteVoipMetrics discardFraction.
                 * @member {number} discardFraction
                 * @memberof carillon.agent.v1.RemoteVoipMetrics
                 * @instance
                 */
                RemoteVoipMetrics.prototype.discardFraction = 0;

                /**
                 * RemoteVoipMetrics burstDensity.
                 * @member {number} burstDensity
                 * @memberof carillon.agent.v1.RemoteVoipMetrics
                 * @instance
                 */
                RemoteVoipMetrics.prototype.burstDensity = 0;

                /**
                 * RemoteVoipMetrics gapDensity.
                 * @member {number} gapDensity
                 * @memberof carillon.agent.v1.RemoteVoipMetrics
                 * @instance
                 */
                RemoteVoipMetrics.prototype.gapDensity = 0;

                /**
                 * RemoteVoipMetrics burstMs.
                 * @member {number} burstMs
                 * @memberof carillon.agent.v1.RemoteVoipMetrics
                 * @instance
                 */
                RemoteVoipMetrics.prototype.burstMs = 0;

                /**
                 * RemoteVoipMetrics gapMs.
                 * @member {number} gapMs
                 * @memberof carillon.agent.v1.RemoteVoipMetrics
                 * @instance
                 */
                RemoteVoipMetrics.prototype.gapMs = 0;

                /**
                 * RemoteVoipMetrics endSystemMs.
                 * @member {number} endSystemMs
                 * @memberof carillon.agent.v1.RemoteVoipMetrics
                 * @instance
                 */
                RemoteVoipMetrics.prototype.endSystemMs = 0;

                /**
                 * RemoteVoipMetrics rFactor.
                 * @member {number} rFactor
                 * @memberof carillon.agent.v1.RemoteVoipMetrics
                 * @instance
                 */
                RemoteVoipMetrics.prototype.rFactor = 0;

                /**
                 * RemoteVoipMetrics mosLq.
                 * @member {number} mosLq
                 * @memberof carillon.agent.v1.RemoteVoipMetrics
                 * @instance
                 */
                RemoteVoipMetrics.prototype.mosLq = 0;

                /**
                 * RemoteVoipMetrics mosCq.
                 * @member {number} mosCq
                 * @memberof carillon.agent.v1.RemoteVoipMetrics
                 * @instance
                 */
                RemoteVoipMetrics.prototype.mosCq = 0;

                /**
                 * Encodes the specified RemoteVoipMetrics message. Does not implicitly {@link carillon.agent.v1.RemoteVoipMetrics.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.RemoteVoipMetrics
                 * @static
                 * @param {carillon.agent.v1.RemoteVoipMetrics.$Properties} message RemoteVoipMetrics message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                RemoteVoipMetrics.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.lossFraction != null && $Object.hasOwnProperty.call(message, "lossFraction") && !$Object.is(message.lossFraction, 0))
                        writer.uint32(/* id 1, wireType 5 =*/13).float(message.lossFraction);
                    if (message.discardFraction != null && $Object.hasOwnProperty.call(message, "discardFraction") && !$Object.is(message.discardFraction, 0))
                        writer.uint32(/* id 2, wireType 5 =*/21).float(message.discardFraction);
                    if (message.burstDensity != null && $Object.hasOwnProperty.call(message, "burstDensity") && !$Object.is(message.burstDensity, 0))
                        writer.uint32(/* id 3, wireType 5 =*/29).float(message.burstDensity);
                    if (message.gapDensity != null && $Object.hasOwnProperty.call(message, "gapDensity") && !$Object.is(message.gapDensity, 0))
                        writer.uint32(/* id 4, wireType 5 =*/37).float(message.gapDensity);
                    if (message.burstMs != null && $Object.hasOwnProperty.call(message, "burstMs") && !$Object.is(message.burstMs, 0))
                        writer.uint32(/* id 5, wireType 5 =*/45).float(message.burstMs);
                    if (message.gapMs != null && $Object.hasOwnProperty.call(message, "gapMs") && !$Object.is(message.gapMs, 0))
                        writer.uint32(/* id 6, wireType 5 =*/53).float(message.gapMs);
                    if (message.endSystemMs != null && $Object.hasOwnProperty.call(message, "endSystemMs") && !$Object.is(message.endSystemMs, 0))
                        writer.uint32(/* id 7, wireType 5 =*/61).float(message.endSystemMs);
                    if (message.rFactor != null && $Object.hasOwnProperty.call(message, "rFactor") && !$Object.is(message.rFactor, 0))
                        writer.uint32(/* id 8, wireType 5 =*/69).float(message.rFactor);
                    if (message.mosLq != null && $Object.hasOwnProperty.call(message, "mosLq") && !$Object.is(message.mosLq, 0))
                        writer.uint32(/* id 9, wireType 5 =*/77).float(message.mosLq);
                    if (message.mosCq != null && $Object.hasOwnProperty.call(message, "mosCq") && !$Object.is(message.mosCq, 0))
                        writer.uint32(/* id 10, wireType 5 =*/85).float(message.mosCq);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a RemoteVoipMetrics message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.RemoteVoipMetrics
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.RemoteVoipMetrics & carillon.agent.v1.RemoteVoipMetrics.$Shape} RemoteVoipMetrics
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                RemoteVoipMetrics.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.RemoteVoipMetrics();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.lossFraction = value;
                                else
                                    delete message.lossFraction;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.discardFraction = value;
                                else
                                    delete message.discardFraction;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.burstDensity = value;
                                else
                                    delete message.burstDensity;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.gapDensity = value;
                                else
                                    delete message.gapDensity;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.burstMs = value;
                                else
                                    delete message.burstMs;
                                continue;
                            }
                        case 6: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.gapMs = value;
                                else
                                    delete message.gapMs;
                                continue;
                            }
                        case 7: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.endSystemMs = value;
                                else
                                    delete message.endSystemMs;
                                continue;
                            }
                        case 8: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.rFactor = value;
                                else
                                    delete message.rFactor;
                                continue;
                            }
                        case 9: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.mosLq = value;
                                else
                                    delete message.mosLq;
                                continue;
                            }
                        case 10: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.mosCq = value;
                                else
                                    delete message.mosCq;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return RemoteVoipMetrics;
            })();

            v1.Injected = (function() {

                /**
                 * Properties of an Injected.
                 * @typedef {Object} carillon.agent.v1.Injected.$Properties
                 * @property {number|null} [offered] Injected offered
                 * @property {number|null} [disturbed] Injected disturbed
                 * @property {number|null} [passed] Injected passed
                 * @property {number|null} [lost] Injected lost
                 * @property {number|null} [lossRuns] Injected lossRuns
                 * @property {number|null} [duplicated] Injected duplicated
                 * @property {number|null} [reordered] Injected reordered
                 * @property {number|null} [late] Injected late
                 * @property {number|null} [overflowed] Injected overflowed
                 * @property {number|null} [jitterBeforeMs] Injected jitterBeforeMs
                 * @property {number|null} [jitterAfterMs] Injected jitterAfterMs
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of an Injected.
                 * @memberof carillon.agent.v1
                 * @interface IInjected
                 * @augments carillon.agent.v1.Injected.$Properties
                 * @deprecated Use carillon.agent.v1.Injected.$Properties instead.
                 */

                /**
                 * Shape of an Injected.
                 * @typedef {carillon.agent.v1.Injected.$Properties} carillon.agent.v1.Injected.$Shape
                 */

                /**
                 * Constructs a new Injected.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents an Injected.
                 * @constructor
                 * @param {carillon.agent.v1.Injected.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Injected = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Injected offered.
                 * @member {number} offered
                 * @memberof carillon.agent.v1.Injected
                 * @instance
                 */
                Injected.prototype.offered = 0;

                /**
                 * Injected disturbed.
                 * @member {number} disturbed
                 * @memberof carillon.agent.v1.Injected
                 * @instance
                 */
                Injected.prototype.disturbed = 0;

                /**
                 * Injected passed.
                 * @member {number} passed
                 * @memberof carillon.agent.v1.Injected
                 * @instance
                 */
                Injected.prototype.passed = 0;

                /**
                 * Injected lost.
                 * @member {number} lost
                 * @memberof carillon.agent.v1.Injected
                 * @instance
                 */
                Injected.prototype.lost = 0;

                /**
                 * Injected lossRuns.
                 * @member {number} lossRuns
                 * @memberof carillon.agent.v1.Injected
                 * @instance
                 */
                Injected.prototype.lossRuns = 0;

                /**
                 * Injected duplicated.
                 * @member {number} duplicated
                 * @memberof carillon.agent.v1.Injected
                 * @instance
                 */
                Injected.prototype.duplicated = 0;

                /**
                 * Injected reordered.
                 * @member {number} reordered
                 * @memberof carillon.agent.v1.Injected
                 * @instance
                 */
                Injected.prototype.reordered = 0;

                /**
                 * Injected late.
                 * @member {number} late
                 * @memberof carillon.agent.v1.Injected
                 * @instance
                 */
                Injected.prototype.late = 0;

                /**
                 * Injected overflowed.
                 * @member {number} overflowed
                 * @memberof carillon.agent.v1.Injected
                 * @instance
                 */
                Injected.prototype.overflowed = 0;

                /**
                 * Injected jitterBeforeMs.
                 * @member {number} jitterBeforeMs
                 * @memberof carillon.agent.v1.Injected
                 * @instance
                 */
                Injected.prototype.jitterBeforeMs = 0;

                /**
                 * Injected jitterAfterMs.
                 * @member {number} jitterAfterMs
                 * @memberof carillon.agent.v1.Injected
                 * @instance
                 */
                Injected.prototype.jitterAfterMs = 0;

                /**
                 * Encodes the specified Injected message. Does not implicitly {@link carillon.agent.v1.Injected.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Injected
                 * @static
                 * @param {carillon.agent.v1.Injected.$Properties} message Injected message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Injected.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.offered != null && $Object.hasOwnProperty.call(message, "offered") && message.offered !== 0)
                        writer.uint32(/* id 1, wireType 0 =*/8).uint32(message.offered);
                    if (message.disturbed != null && $Object.hasOwnProperty.call(message, "disturbed") && message.disturbed !== 0)
                        writer.uint32(/* id 2, wireType 0 =*/16).uint32(message.disturbed);
                    if (message.passed != null && $Object.hasOwnProperty.call(message, "passed") && message.passed !== 0)
                        writer.uint32(/* id 3, wireType 0 =*/24).uint32(message.passed);
                    if (message.lost != null && $Object.hasOwnProperty.call(message, "lost") && message.lost !== 0)
                        writer.uint32(/* id 4, wireType 0 =*/32).uint32(message.lost);
                    if (message.lossRuns != null && $Object.hasOwnProperty.call(message, "lossRuns") && message.lossRuns !== 0)
                        writer.uint32(/* id 5, wireType 0 =*/40).uint32(message.lossRuns);
                    if (message.duplicated != null && $Object.hasOwnProperty.call(message, "duplicated") && message.duplicated !== 0)
                        writer.uint32(/* id 6, wireType 0 =*/48).uint32(message.duplicated);
                    if (message.reordered != null && $Object.hasOwnProperty.call(message, "reordered") && message.reordered !== 0)
                        writer.uint32(/* id 7, wireType 0 =*/56).uint32(message.reordered);
                    if (message.late != null && $Object.hasOwnProperty.call(message, "late") && message.late !== 0)
                        writer.uint32(/* id 8, wireType 0 =*/64).uint32(message.late);
                    if (message.overflowed != null && $Object.hasOwnProperty.call(message, "overflowed") && message.overflowed !== 0)
                        writer.uint32(/* id 9, wireType 0 =*/72).uint32(message.overflowed);
                    if (message.jitterBeforeMs != null && $Object.hasOwnProperty.call(message, "jitterBeforeMs") && !$Object.is(message.jitterBeforeMs, 0))
                        writer.uint32(/* id 10, wireType 5 =*/85).float(message.jitterBeforeMs);
                    if (message.jitterAfterMs != null && $Object.hasOwnProperty.call(message, "jitterAfterMs") && !$Object.is(message.jitterAfterMs, 0))
                        writer.uint32(/* id 11, wireType 5 =*/93).float(message.jitterAfterMs);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes an Injected message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Injected
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Injected & carillon.agent.v1.Injected.$Shape} Injected
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Injected.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Injected();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.offered = value;
                                else
                                    delete message.offered;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.disturbed = value;
                                else
                                    delete message.disturbed;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.passed = value;
                                else
                                    delete message.passed;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.lost = value;
                                else
                                    delete message.lost;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.lossRuns = value;
                                else
                                    delete message.lossRuns;
                                continue;
                            }
                        case 6: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.duplicated = value;
                                else
                                    delete message.duplicated;
                                continue;
                            }
                        case 7: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.reordered = value;
                                else
                                    delete message.reordered;
                                continue;
                            }
                        case 8: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.late = value;
                                else
                                    delete message.late;
                                continue;
                            }
                        case 9: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.overflowed = value;
                                else
                                    delete message.overflowed;
                                continue;
                            }
                        case 10: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.jitterBeforeMs = value;
                                else
                                    delete message.jitterBeforeMs;
                                continue;
                            }
                        case 11: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.jitterAfterMs = value;
                                else
                                    delete message.jitterAfterMs;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Injected;
            })();

            v1.Security = (function() {

                /**
                 * Properties of a Security.
                 * @typedef {Object} carillon.agent.v1.Security.$Properties
                 * @property {string|null} [state] Security state
                 * @property {string|null} [suite] Security suite
                 * @property {number|null} [handshakeMs] Security handshakeMs
                 * @property {number|null} [authFailed] Security authFailed
                 * @property {number|null} [replayed] Security replayed
                 * @property {number|null} [early] Security early
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Security.
                 * @memberof carillon.agent.v1
                 * @interface ISecurity
                 * @augments carillon.agent.v1.Security.$Properties
                 * @deprecated Use carillon.agent.v1.Security.$Properties instead.
                 */

                /**
                 * Shape of a Security.
                 * @typedef {carillon.agent.v1.Security.$Properties} carillon.agent.v1.Security.$Shape
                 */

                /**
                 * Constructs a new Security.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Security.
                 * @constructor
                 * @param {carillon.agent.v1.Security.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Security = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Security state.
                 * @member {string} state
                 * @memberof carillon.agent.v1.Security
                 * @instance
                 */
                Security.prototype.state = "";

                /**
                 * Security suite.
                 * @member {string} suite
                 * @memberof carillon.agent.v1.Security
                 * @instance
                 */
                Security.prototype.suite = "";

                /**
                 * Security handshakeMs.
                 * @member {number} handshakeMs
                 * @memberof carillon.agent.v1.Security
                 * @instance
                 */
                Security.prototype.handshakeMs = 0;

                /**
                 * Security authFailed.
                 * @member {number} authFailed
                 * @memberof carillon.agent.v1.Security
                 * @instance
                 */
                Security.prototype.authFailed = 0;

                /**
                 * Security replayed.
                 * @member {number} replayed
                 * @memberof carillon.agent.v1.Security
                 * @instance
                 */
                Security.prototype.replayed = 0;

                /**
                 * Security early.
                 * @member {number} early
                 * @memberof carillon.agent.v1.Security
                 * @instance
                 */
                Security.prototype.early = 0;

                /**
                 * Encodes the specified Security message. Does not implicitly {@link carillon.agent.v1.Security.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Security
                 * @static
                 * @param {carillon.agent.v1.Security.$Properties} message Security message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Security.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.state != null && $Object.hasOwnProperty.call(message, "state") && message.state !== "")
                        writer.uint32(/* id 1, wireType 2 =*/10).string(message.state);
                    if (message.suite != null && $Object.hasOwnProperty.call(message, "suite") && message.suite !== "")
                        writer.uint32(/* id 2, wireType 2 =*/18).string(message.suite);
                    if (message.handshakeMs != null && $Object.hasOwnProperty.call(message, "handshakeMs") && !$Object.is(message.handshakeMs, 0))
                        writer.uint32(/* id 3, wireType 5 =*/29).float(message.handshakeMs);
                    if (message.authFailed != null && $Object.hasOwnProperty.call(message, "authFailed") && message.authFailed !== 0)
                        writer.uint32(/* id 4, wireType 0 =*/32).uint32(message.authFailed);
                    if (message.replayed != null && $Object.hasOwnProperty.call(message, "replayed") && message.replayed !== 0)
                        writer.uint32(/* id 5, wireType 0 =*/40).uint32(message.replayed);
                    if (message.early != null && $Object.hasOwnProperty.call(message, "early") && message.early !== 0)
                        writer.uint32(/* id 6, wireType 0 =*/48).uint32(message.early);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Security message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Security
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Security & carillon.agent.v1.Security.$Shape} Security
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Security.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Security();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.state = value;
                                else
                                    delete message.state;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.suite = value;
                                else
                                    delete message.suite;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.handshakeMs = value;
                                else
                                    delete message.handshakeMs;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.authFailed = value;
                                else
                                    delete message.authFailed;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.replayed = value;
                                else
                                    delete message.replayed;
                                continue;
                            }
                        case 6: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.early = value;
                                else
                                    delete message.early;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Security;
            })();

            v1.Ice = (function() {

                /**
                 * Properties of an Ice.
                 * @typedef {Object} carillon.agent.v1.Ice.$Properties
                 * @property {string|null} [state] Ice state
                 * @property {string|null} [localType] Ice localType
                 * @property {string|null} [remoteType] Ice remoteType
                 * @property {string|null} [local] Ice local
                 * @property {number|null} [connectMs] Ice connectMs
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of an Ice.
                 * @memberof carillon.agent.v1
                 * @interface IIce
                 * @augments carillon.agent.v1.Ice.$Properties
                 * @deprecated Use carillon.agent.v1.Ice.$Properties instead.
                 */

                /**
                 * Shape of an Ice.
                 * @typedef {carillon.agent.v1.Ice.$Properties} carillon.agent.v1.Ice.$Shape
                 */

                /**
                 * Constructs a new Ice.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents an Ice.
                 * @constructor
                 * @param {carillon.agent.v1.Ice.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Ice = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Ice state.
                 * @member {string} state
                 * @memberof carillon.agent.v1.Ice
                 * @instance
                 */
                Ice.prototype.state = "";

                /**
                 * Ice localType.
                 * @member {string} localType
                 * @memberof carillon.agent.v1.Ice
                 * @instance
                 */
                Ice.prototype.localType = "";

                /**
                 * Ice remoteType.
                 * @member {string} remoteType
                 * @memberof carillon.agent.v1.Ice
                 * @instance
                 */
                Ice.prototype.remoteType = "";

                /**
                 * Ice local.
                 * @member {string} local
                 * @memberof carillon.agent.v1.Ice
                 * @instance
                 */
                Ice.prototype.local = "";

                /**
                 * Ice connectMs.
                 * @member {number} connectMs
                 * @memberof carillon.agent.v1.Ice
                 * @instance
                 */
                Ice.prototype.connectMs = 0;

                /**
                 * Encodes the specified Ice message. Does not implicitly {@link carillon.agent.v1.Ice.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Ice
                 * @static
                 * @param {carillon.agent.v1.Ice.$Properties} message Ice message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Ice.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.state != null && $Object.hasOwnProperty.call(message, "state") && message.state !== "")
                        writer.uint32(/* id 1, wireType 2 =*/10).string(message.state);
                    if (message.localType != null && $Object.hasOwnProperty.call(message, "localType") && message.localType !== "")
                        writer.uint32(/* id 2, wireType 2 =*/18).string(message.localType);
                    if (message.remoteType != null && $Object.hasOwnProperty.call(message, "remoteType") && message.remoteType !== "")
                        writer.uint32(/* id 3, wireType 2 =*/26).string(message.remoteType);
                    if (message.local != null && $Object.hasOwnProperty.call(message, "local") && message.local !== "")
                        writer.uint32(/* id 4, wireType 2 =*/34).string(message.local);
                    if (message.connectMs != null && $Object.hasOwnProperty.call(message, "connectMs") && !$Object.is(message.connectMs, 0))
                        writer.uint32(/* id 5, wireType 5 =*/45).float(message.connectMs);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes an Ice message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Ice
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Ice & carillon.agent.v1.Ice.$Shape} Ice
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Ice.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Ice();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.state = value;
                                else
                                    delete message.state;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.localType = value;
                                else
                                    delete message.localType;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.remoteType = value;
                                else
                                    delete message.remoteType;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.local = value;
                                else
                                    delete message.local;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.connectMs = value;
                                else
                                    delete message.connectMs;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Ice;
            })();

            v1.Video = (function() {

                /**
                 * Properties of a Video.
                 * @typedef {Object} carillon.agent.v1.Video.$Properties
                 * @property {number|null} [framesSent] Video framesSent
                 * @property {number|null} [keyframesSent] Video keyframesSent
                 * @property {number|null} [packetsResent] Video packetsResent
                 * @property {number|null} [framesReceived] Video framesReceived
                 * @property {number|null} [keyframesReceived] Video keyframesReceived
                 * @property {number|null} [framesLost] Video framesLost
                 * @property {number|null} [framesDropped] Video framesDropped
                 * @property {number|null} [framesPerSecond] Video framesPerSecond
                 * @property {number|null} [freezes] Video freezes
                 * @property {number|null} [freezeMs] Video freezeMs
                 * @property {number|null} [recoveredPackets] Video recoveredPackets
                 * @property {number|null} [nacksSent] Video nacksSent
                 * @property {number|null} [nacksReceived] Video nacksReceived
                 * @property {number|null} [plisSent] Video plisSent
                 * @property {number|null} [plisReceived] Video plisReceived
                 * @property {number|null} [firsSent] Video firsSent
                 * @property {number|null} [firsReceived] Video firsReceived
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Video.
                 * @memberof carillon.agent.v1
                 * @interface IVideo
                 * @augments carillon.agent.v1.Video.$Properties
                 * @deprecated Use carillon.agent.v1.Video.$Properties instead.
                 */

                /**
                 * Shape of a Video.
                 * @typedef {carillon.agent.v1.Video.$Properties} carillon.agent.v1.Video.$Shape
                 */

                /**
                 * Constructs a new Video.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Video.
                 * @constructor
                 * @param {carillon.agent.v1.Video.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Video = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Video framesSent.
                 * @member {number} framesSent
                 * @memberof carillon.agent.v1.Video
                 * @instance
                 */
                Video.prototype.framesSent = 0;

                /**
                 * Video keyframesSent.
                 * @member {number} keyframesSent
                 * @memberof carillon.agent.v1.Video
                 * @instance
                 */
                Video.prototype.keyframesSent = 0;

                /**
                 * Video packetsResent.
                 * @member {number} packetsResent
                 * @memberof carillon.agent.v1.Video
                 * @instance
                 */
                Video.prototype.packetsResent = 0;

                /**
                 * Video framesReceived.
                 * @member {number} framesReceived
                 * @memberof carillon.agent.v1.Video
                 * @instance
                 */
                Video.prototype.framesReceived = 0;

                /**
                 * Video keyframesReceived.
                 * @member {number} keyframesReceived
                 * @memberof carillon.agent.v1.Video
                 * @instance
                 */
                Video.prototype.keyframesReceived = 0;

                /**
                 * Video framesLost.
                 * @member {number} framesLost
                 * @memberof carillon.agent.v1.Video
                 * @instance
                 */
                Video.prototype.framesLost = 0;

                /**
                 * Video framesDropped.
                 * @member {number} framesDropped
                 * @memberof carillon.agent.v1.Video
                 * @instance
                 */
                Video.prototype.framesDropped = 0;

                /**
                 * Video framesPerSecond.
                 * @member {number} framesPerSecond
                 * @memberof carillon.agent.v1.Video
                 * @instance
                 */
                Video.prototype.framesPerSecond = 0;

                /**
                 * Video freezes.
                 * @member {number} freezes
                 * @memberof carillon.agent.v1.Video
                 * @instance
                 */
                Video.prototype.freezes = 0;

                /**
                 * Video freezeMs.
                 * @member {number} freezeMs
                 * @memberof carillon.agent.v1.Video
                 * @instance
                 */
                Video.prototype.freezeMs = 0;

                /**
                 * Video recoveredPackets.
                 * @member {number} recoveredPackets
                 * @memberof carillon.agent.v1.Video
                 * @instance
                 */
                Video.prototype.recoveredPackets = 0;

                /**
                 * Video nacksSent.
                 * @member {number} nacksSent
                 * @memberof carillon.agent.v1.Video
                 * @instance
                 */
                Video.prototype.nacksSent = 0;

                /**
                 * Video nacksReceived.
                 * @member {number} nacksReceived
                 * @memberof carillon.agent.v1.Video
                 * @instance
                 */
                Video.prototype.nacksReceived = 0;

                /**
                 * Video plisSent.
                 * @member {number} plisSent
                 * @memberof carillon.agent.v1.Video
                 * @instance
                 */
                Video.prototype.plisSent = 0;

                /**
                 * Video plisReceived.
                 * @member {number} plisReceived
                 * @memberof carillon.agent.v1.Video
                 * @instance
                 */
                Video.prototype.plisReceived = 0;

                /**
                 * Video firsSent.
                 * @member {number} firsSent
                 * @memberof carillon.agent.v1.Video
                 * @instance
                 */
                Video.prototype.firsSent = 0;

                /**
                 * Video firsReceived.
                 * @member {number} firsReceived
                 * @memberof carillon.agent.v1.Video
                 * @instance
                 */
                Video.prototype.firsReceived = 0;

                /**
                 * Encodes the specified Video message. Does not implicitly {@link carillon.agent.v1.Video.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Video
                 * @static
                 * @param {carillon.agent.v1.Video.$Properties} message Video message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Video.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.framesSent != null && $Object.hasOwnProperty.call(message, "framesSent") && message.framesSent !== 0)
                        writer.uint32(/* id 1, wireType 0 =*/8).uint32(message.framesSent);
                    if (message.keyframesSent != null && $Object.hasOwnProperty.call(message, "keyframesSent") && message.keyframesSent !== 0)
                        writer.uint32(/* id 2, wireType 0 =*/16).uint32(message.keyframesSent);
                    if (message.packetsResent != null && $Object.hasOwnProperty.call(message, "packetsResent") && message.packetsResent !== 0)
                        writer.uint32(/* id 3, wireType 0 =*/24).uint32(message.packetsResent);
                    if (message.framesReceived != null && $Object.hasOwnProperty.call(message, "framesReceived") && message.framesReceived !== 0)
                        writer.uint32(/* id 4, wireType 0 =*/32).uint32(message.framesReceived);
                    if (message.keyframesReceived != null && $Object.hasOwnProperty.call(message, "keyframesReceived") && message.keyframesReceived !== 0)
                        writer.uint32(/* id 5, wireType 0 =*/40).uint32(message.keyframesReceived);
                    if (message.framesLost != null && $Object.hasOwnProperty.call(message, "framesLost") && message.framesLost !== 0)
                        writer.uint32(/* id 6, wireType 0 =*/48).uint32(message.framesLost);
                    if (message.framesDropped != null && $Object.hasOwnProperty.call(message, "framesDropped") && message.framesDropped !== 0)
                        writer.uint32(/* id 7, wireType 0 =*/56).uint32(message.framesDropped);
                    if (message.framesPerSecond != null && $Object.hasOwnProperty.call(message, "framesPerSecond") && !$Object.is(message.framesPerSecond, 0))
                        writer.uint32(/* id 8, wireType 5 =*/69).float(message.framesPerSecond);
                    if (message.freezes != null && $Object.hasOwnProperty.call(message, "freezes") && message.freezes !== 0)
                        writer.uint32(/* id 9, wireType 0 =*/72).uint32(message.freezes);
                    if (message.freezeMs != null && $Object.hasOwnProperty.call(message, "freezeMs") && !$Object.is(message.freezeMs, 0))
                        writer.uint32(/* id 10, wireType 5 =*/85).float(message.freezeMs);
                    if (message.recoveredPackets != null && $Object.hasOwnProperty.call(message, "recoveredPackets") && message.recoveredPackets !== 0)
                        writer.uint32(/* id 11, wireType 0 =*/88).uint32(message.recoveredPackets);
                    if (message.nacksSent != null && $Object.hasOwnProperty.call(message, "nacksSent") && message.nacksSent !== 0)
                        writer.uint32(/* id 12, wireType 0 =*/96).uint32(message.nacksSent);
                    if (message.nacksReceived != null && $Object.hasOwnProperty.call(message, "nacksReceived") && message.nacksReceived !== 0)
                        writer.uint32(/* id 13, wireType 0 =*/104).uint32(message.nacksReceived);
                    if (message.plisSent != null && $Object.hasOwnProperty.call(message, "plisSent") && message.plisSent !== 0)
                        writer.uint32(/* id 14, wireType 0 =*/112).uint32(message.plisSent);
                    if (message.plisReceived != null && $Object.hasOwnProperty.call(message, "plisReceived") && message.plisReceived !== 0)
                        writer.uint32(/* id 15, wireType 0 =*/120).uint32(message.plisReceived);
                    if (message.firsSent != null && $Object.hasOwnProperty.call(message, "firsSent") && message.firsSent !== 0)
                        writer.uint32(/* id 16, wireType 0 =*/128).uint32(message.firsSent);
                    if (message.firsReceived != null && $Object.hasOwnProperty.call(message, "firsReceived") && message.firsReceived !== 0)
                        writer.uint32(/* id 17, wireType 0 =*/136).uint32(message.firsReceived);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Video message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Video
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Video & carillon.agent.v1.Video.$Shape} Video
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Video.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Video();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.framesSent = value;
                                else
                                    delete message.framesSent;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.keyframesSent = value;
                                else
                                    delete message.keyframesSent;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.packetsResent = value;
                                else
                                    delete message.packetsResent;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.framesReceived = value;
                                else
                                    delete message.framesReceived;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.keyframesReceived = value;
                                else
                                    delete message.keyframesReceived;
                                continue;
                            }
                        case 6: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.framesLost = value;
                                else
                                    delete message.framesLost;
                                continue;
                            }
                        case 7: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.framesDropped = value;
                                else
                                    delete message.framesDropped;
                                continue;
                            }
                        case 8: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.framesPerSecond = value;
                                else
                                    delete message.framesPerSecond;
                                continue;
                            }
                        case 9: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.freezes = value;
                                else
                                    delete message.freezes;
                                continue;
                            }
                        case 10: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.freezeMs = value;
                                else
                                    delete message.freezeMs;
                                continue;
                            }
                        case 11: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.recoveredPackets = value;
                                else
                                    delete message.recoveredPackets;
                                continue;
                            }
                        case 12: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.nacksSent = value;
                                else
                                    delete message.nacksSent;
                                continue;
                            }
                        case 13: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.nacksReceived = value;
                                else
                                    delete message.nacksReceived;
                                continue;
                            }
                        case 14: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.plisSent = value;
                                else
                                    delete message.plisSent;
                                continue;
                            }
                        case 15: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.plisReceived = value;
                                else
                                    delete message.plisReceived;
                                continue;
                            }
                        case 16: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.firsSent = value;
                                else
                                    delete message.firsSent;
                                continue;
                            }
                        case 17: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.firsReceived = value;
                                else
                                    delete message.firsReceived;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Video;
            })();

            v1.StartNoise = (function() {

                /**
                 * Properties of a StartNoise.
                 * @typedef {Object} carillon.agent.v1.StartNoise.$Properties
                 * @property {carillon.agent.v1.Histogram.$Properties|null} [inviteLateMs] StartNoise inviteLateMs
                 * @property {number|null} [planned] StartNoise planned
                 * @property {number|null} [started] StartNoise started
                 * @property {number|null} [notStarted] StartNoise notStarted
                 * @property {number|null} [heldBack] StartNoise heldBack
                 * @property {number|null} [noFreeEndpoint] StartNoise noFreeEndpoint
                 * @property {number|null} [unixMs] StartNoise unixMs
                 * @property {carillon.agent.v1.Histogram.$Properties|null} [actionLateMs] StartNoise actionLateMs
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a StartNoise.
                 * @memberof carillon.agent.v1
                 * @interface IStartNoise
                 * @augments carillon.agent.v1.StartNoise.$Properties
                 * @deprecated Use carillon.agent.v1.StartNoise.$Properties instead.
                 */

                /**
                 * Shape of a StartNoise.
                 * @typedef {carillon.agent.v1.StartNoise.$Properties} carillon.agent.v1.StartNoise.$Shape
                 */

                /**
                 * Constructs a new StartNoise.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a StartNoise.
                 * @constructor
                 * @param {carillon.agent.v1.StartNoise.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const StartNoise = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * StartNoise inviteLateMs.
                 * @member {carillon.agent.v1.Histogram.$Properties|null|undefined} inviteLateMs
                 * @memberof carillon.agent.v1.StartNoise
                 * @instance
                 */
                StartNoise.prototype.inviteLateMs = null;

                /**
                 * StartNoise planned.
                 * @member {number} planned
                 * @memberof carillon.agent.v1.StartNoise
                 * @instance
                 */
                StartNoise.prototype.planned = 0;

                /**
                 * StartNoise started.
                 * @member {number} started
                 * @memberof carillon.agent.v1.StartNoise
                 * @instance
                 */
                StartNoise.prototype.started = 0;

                /**
                 * StartNoise notStarted.
                 * @member {number} notStarted
                 * @memberof carillon.agent.v1.StartNoise
                 * @instance
                 */
                StartNoise.prototype.notStarted = 0;

                /**
                 * StartNoise heldBack.
                 * @member {number} heldBack
                 * @memberof carillon.agent.v1.StartNoise
                 * @instance
                 */
                StartNoise.prototype.heldBack = 0;

                /**
                 * StartNoise noFreeEndpoint.
                 * @member {number} noFreeEndpoint
                 * @memberof carillon.agent.v1.StartNoise
                 * @instance
                 */
                StartNoise.prototype.noFreeEndpoint = 0;

                /**
                 * StartNoise unixMs.
                 * @member {number} unixMs
                 * @memberof carillon.agent.v1.StartNoise
                 * @instance
                 */
                StartNoise.prototype.unixMs = 0;

                /**
                 * StartNoise actionLateMs.
                 * @member {carillon.agent.v1.Histogram.$Properties|null|undefined} actionLateMs
                 * @memberof carillon.agent.v1.StartNoise
                 * @instance
                 */
                StartNoise.prototype.actionLateMs = null;

                /**
                 * Encodes the specified StartNoise message. Does not implicitly {@link carillon.agent.v1.StartNoise.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.StartNoise
                 * @static
                 * @param {carillon.agent.v1.StartNoise.$Properties} message StartNoise message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                StartNoise.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.inviteLateMs != null && $Object.hasOwnProperty.call(message, "inviteLateMs"))
                        $root.carillon.agent.v1.Histogram.encode(message.inviteLateMs, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
                    if (message.planned != null && $Object.hasOwnProperty.call(message, "planned") && message.planned !== 0)
                        writer.uint32(/* id 2, wireType 0 =*/16).uint32(message.planned);
                    if (message.started != null && $Object.hasOwnProperty.call(message, "started") && message.started !== 0)
                        writer.uint32(/* id 3, wireType 0 =*/24).uint32(message.started);
                    if (message.notStarted != null && $Object.hasOwnProperty.call(message, "notStarted") && message.notStarted !== 0)
                        writer.uint32(/* id 4, wireType 0 =*/32).uint32(message.notStarted);
                    if (message.heldBack != null && $Object.hasOwnProperty.call(message, "heldBack") && message.heldBack !== 0)
                        writer.uint32(/* id 10, wireType 0 =*/80).uint32(message.heldBack);
                    if (message.actionLateMs != null && $Object.hasOwnProperty.call(message, "actionLateMs"))
                        $root.carillon.agent.v1.Histogram.encode(message.actionLateMs, writer.uint32(/* id 11, wireType 2 =*/90).fork(), _depth + 1).ldelim();
                    if (message.noFreeEndpoint != null && $Object.hasOwnProperty.call(message, "noFreeEndpoint") && message.noFreeEndpoint !== 0)
                        writer.uint32(/* id 12, wireType 0 =*/96).uint32(message.noFreeEndpoint);
                    if (message.unixMs != null && $Object.hasOwnProperty.call(message, "unixMs") && !$Object.is(message.unixMs, 0))
                        writer.uint32(/* id 13, wireType 1 =*/105).double(message.unixMs);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a StartNoise message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.StartNoise
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.StartNoise & carillon.agent.v1.StartNoise.$Shape} StartNoise
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                StartNoise.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.StartNoise();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 2)
                                    break;
                                message.inviteLateMs = $root.carillon.agent.v1.Histogram.decode(reader, reader.size(), $undefined, _depth + 1, message.inviteLateMs);
                                continue;
                            }
                        case 2: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.planned = value;
                                else
                                    delete message.planned;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.started = value;
                                else
                                    delete message.started;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.notStarted = value;
                                else
                                    delete message.notStarted;
                                continue;
                            }
                        case 10: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.heldBack = value;
                                else
                                    delete message.heldBack;
                                continue;
                            }
                        case 12: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.noFreeEndpoint = value;
                                else
                                    delete message.noFreeEndpoint;
                                continue;
                            }
                        case 13: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.unixMs = value;
                                else
                                    delete message.unixMs;
                                continue;
                            }
                        case 11: {
                                if (wireType !== 2)
                                    break;
                                message.actionLateMs = $root.carillon.agent.v1.Histogram.decode(reader, reader.size(), $undefined, _depth + 1, message.actionLateMs);
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return StartNoise;
            })();

            v1.Noise = (function() {

                /**
                 * Properties of a Noise.
                 * @typedef {Object} carillon.agent.v1.Noise.$Properties
                 * @property {number|null} [fromUnixMs] Noise fromUnixMs
                 * @property {number|null} [seconds] Noise seconds
                 * @property {carillon.agent.v1.Histogram.$Properties|null} [pacingErrorMs] Noise pacingErrorMs
                 * @property {number|null} [slotsPlanned] Noise slotsPlanned
                 * @property {number|null} [slotsSkipped] Noise slotsSkipped
                 * @property {carillon.agent.v1.Histogram.$Properties|null} [loopDelayMs] Noise loopDelayMs
                 * @property {number|null} [threadCpu] Noise threadCpu
                 * @property {number|null} [steal] Noise steal
                 * @property {number|null} [receiveDrops] Noise receiveDrops
                 * @property {number|null} [received] Noise received
                 * @property {number|null} [clockSteps] Noise clockSteps
                 * @property {string|null} [stamps] Noise stamps
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Noise.
                 * @memberof carillon.agent.v1
                 * @interface INoise
                 * @augments carillon.agent.v1.Noise.$Properties
                 * @deprecated Use carillon.agent.v1.Noise.$Properties instead.
                 */

                /**
                 * Shape of a Noise.
                 * @typedef {carillon.agent.v1.Noise.$Properties} carillon.agent.v1.Noise.$Shape
                 */

                /**
                 * Constructs a new Noise.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Noise.
                 * @constructor
                 * @param {carillon.agent.v1.Noise.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Noise = function (properties) {
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Noise fromUnixMs.
                 * @member {number} fromUnixMs
                 * @memberof carillon.agent.v1.Noise
                 * @instance
                 */
                Noise.prototype.fromUnixMs = 0;

                /**
                 * Noise seconds.
                 * @member {number} seconds
                 * @memberof carillon.agent.v1.Noise
                 * @instance
                 */
                Noise.prototype.seconds = 0;

                /**
                 * Noise pacingErrorMs.
                 * @member {carillon.agent.v1.Histogram.$Properties|null|undefined} pacingErrorMs
                 * @memberof carillon.agent.v1.Noise
                 * @instance
                 */
                Noise.prototype.pacingErrorMs = null;

                /**
                 * Noise slotsPlanned.
                 * @member {number} slotsPlanned
                 * @memberof carillon.agent.v1.Noise
                 * @instance
                 */
                Noise.prototype.slotsPlanned = 0;

                /**
                 * Noise slotsSkipped.
                 * @member {number} slotsSkipped
                 * @memberof carillon.agent.v1.Noise
                 * @instance
                 */
                Noise.prototype.slotsSkipped = 0;

                /**
                 * Noise loopDelayMs.
                 * @member {carillon.agent.v1.Histogram.$Properties|null|undefined} loopDelayMs
                 * @memberof carillon.agent.v1.Noise
                 * @instance
                 */
                Noise.prototype.loopDelayMs = null;

                /**
                 * Noise threadCpu.
                 * @member {number} threadCpu
                 * @memberof carillon.agent.v1.Noise
                 * @instance
                 */
                Noise.prototype.threadCpu = 0;

                /**
                 * Noise steal.
                 * @member {number} steal
                 * @memberof carillon.agent.v1.Noise
                 * @instance
                 */
                Noise.prototype.steal = 0;

                /**
                 * Noise receiveDrops.
                 * @member {number} receiveDrops
                 * @memberof carillon.agent.v1.Noise
                 * @instance
                 */
                Noise.prototype.receiveDrops = 0;

                /**
                 * Noise received.
                 * @member {number} received
                 * @memberof carillon.agent.v1.Noise
                 * @instance
                 */
                Noise.prototype.received = 0;

                /**
                 * Noise clockSteps.
                 * @member {number} clockSteps
                 * @memberof carillon.agent.v1.Noise
                 * @instance
                 */
                Noise.prototype.clockSteps = 0;

                /**
                 * Noise stamps.
                 * @member {string} stamps
                 * @memberof carillon.agent.v1.Noise
                 * @instance
                 */
                Noise.prototype.stamps = "";

                /**
                 * Encodes the specified Noise message. Does not implicitly {@link carillon.agent.v1.Noise.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Noise
                 * @static
                 * @param {carillon.agent.v1.Noise.$Properties} message Noise message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Noise.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.fromUnixMs != null && $Object.hasOwnProperty.call(message, "fromUnixMs") && !$Object.is(message.fromUnixMs, 0))
                        writer.uint32(/* id 1, wireType 1 =*/9).double(message.fromUnixMs);
                    if (message.seconds != null && $Object.hasOwnProperty.call(message, "seconds") && !$Object.is(message.seconds, 0))
                        writer.uint32(/* id 2, wireType 5 =*/21).float(message.seconds);
                    if (message.pacingErrorMs != null && $Object.hasOwnProperty.call(message, "pacingErrorMs"))
                        $root.carillon.agent.v1.Histogram.encode(message.pacingErrorMs, writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
                    if (message.slotsPlanned != null && $Object.hasOwnProperty.call(message, "slotsPlanned") && message.slotsPlanned !== 0)
                        writer.uint32(/* id 4, wireType 0 =*/32).uint32(message.slotsPlanned);
                    if (message.slotsSkipped != null && $Object.hasOwnProperty.call(message, "slotsSkipped") && message.slotsSkipped !== 0)
                        writer.uint32(/* id 5, wireType 0 =*/40).uint32(message.slotsSkipped);
                    if (message.loopDelayMs != null && $Object.hasOwnProperty.call(message, "loopDelayMs"))
                        $root.carillon.agent.v1.Histogram.encode(message.loopDelayMs, writer.uint32(/* id 6, wireType 2 =*/50).fork(), _depth + 1).ldelim();
                    if (message.threadCpu != null && $Object.hasOwnProperty.call(message, "threadCpu") && !$Object.is(message.threadCpu, 0))
                        writer.uint32(/* id 7, wireType 5 =*/61).float(message.threadCpu);
                    if (message.steal != null && $Object.hasOwnProperty.call(message, "steal") && !$Object.is(message.steal, 0))
                        writer.uint32(/* id 8, wireType 5 =*/69).float(message.steal);
                    if (message.receiveDrops != null && $Object.hasOwnProperty.call(message, "receiveDrops") && message.receiveDrops !== 0)
                        writer.uint32(/* id 9, wireType 0 =*/72).uint32(message.receiveDrops);
                    if (message.received != null && $Object.hasOwnProperty.call(message, "received") && message.received !== 0)
                        writer.uint32(/* id 10, wireType 0 =*/80).uint32(message.received);
                    if (message.clockSteps != null && $Object.hasOwnProperty.call(message, "clockSteps") && message.clockSteps !== 0)
                        writer.uint32(/* id 11, wireType 0 =*/88).uint32(message.clockSteps);
                    if (message.stamps != null && $Object.hasOwnProperty.call(message, "stamps") && message.stamps !== "")
                        writer.uint32(/* id 12, wireType 2 =*/98).string(message.stamps);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Noise message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Noise
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Noise & carillon.agent.v1.Noise.$Shape} Noise
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Noise.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Noise();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.fromUnixMs = value;
                                else
                                    delete message.fromUnixMs;
                                continue;
                            }
                        case 2: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.seconds = value;
                                else
                                    delete message.seconds;
                                continue;
                            }
                        case 3: {
                                if (wireType !== 2)
                                    break;
                                message.pacingErrorMs = $root.carillon.agent.v1.Histogram.decode(reader, reader.size(), $undefined, _depth + 1, message.pacingErrorMs);
                                continue;
                            }
                        case 4: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.slotsPlanned = value;
                                else
                                    delete message.slotsPlanned;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.slotsSkipped = value;
                                else
                                    delete message.slotsSkipped;
                                continue;
                            }
                        case 6: {
                                if (wireType !== 2)
                                    break;
                                message.loopDelayMs = $root.carillon.agent.v1.Histogram.decode(reader, reader.size(), $undefined, _depth + 1, message.loopDelayMs);
                                continue;
                            }
                        case 7: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.threadCpu = value;
                                else
                                    delete message.threadCpu;
                                continue;
                            }
                        case 8: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.steal = value;
                                else
                                    delete message.steal;
                                continue;
                            }
                        case 9: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.receiveDrops = value;
                                else
                                    delete message.receiveDrops;
                                continue;
                            }
                        case 10: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.received = value;
                                else
                                    delete message.received;
                                continue;
                            }
                        case 11: {
                                if (wireType !== 0)
                                    break;
                                if (value = reader.uint32())
                                    message.clockSteps = value;
                                else
                                    delete message.clockSteps;
                                continue;
                            }
                        case 12: {
                                if (wireType !== 2)
                                    break;
                                if ((value = reader.stringVerify()).length)
                                    message.stamps = value;
                                else
                                    delete message.stamps;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Noise;
            })();

            v1.Histogram = (function() {

                /**
                 * Properties of a Histogram.
                 * @typedef {Object} carillon.agent.v1.Histogram.$Properties
                 * @property {Array.<number>|null} [bucket] Histogram bucket
                 * @property {Array.<number>|null} [count] Histogram count
                 * @property {number|null} [sum] Histogram sum
                 * @property {number|null} [min] Histogram min
                 * @property {number|null} [max] Histogram max
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */

                /**
                 * Properties of a Histogram.
                 * @memberof carillon.agent.v1
                 * @interface IHistogram
                 * @augments carillon.agent.v1.Histogram.$Properties
                 * @deprecated Use carillon.agent.v1.Histogram.$Properties instead.
                 */

                /**
                 * Shape of a Histogram.
                 * @typedef {carillon.agent.v1.Histogram.$Properties} carillon.agent.v1.Histogram.$Shape
                 */

                /**
                 * Constructs a new Histogram.
                 * @memberof carillon.agent.v1
                 * @classdesc Represents a Histogram.
                 * @constructor
                 * @param {carillon.agent.v1.Histogram.$Properties=} [properties] Properties to set
                 * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
                 */
                const Histogram = function (properties) {
                    this.bucket = [];
                    this.count = [];
                    if (properties)
                        for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                            if (properties[keys[i]] != null && keys[i] !== "__proto__")
                                this[keys[i]] = properties[keys[i]];
                };

                /**
                 * Histogram bucket.
                 * @member {Array.<number>} bucket
                 * @memberof carillon.agent.v1.Histogram
                 * @instance
                 */
                Histogram.prototype.bucket = $util.emptyArray;

                /**
                 * Histogram count.
                 * @member {Array.<number>} count
                 * @memberof carillon.agent.v1.Histogram
                 * @instance
                 */
                Histogram.prototype.count = $util.emptyArray;

                /**
                 * Histogram sum.
                 * @member {number} sum
                 * @memberof carillon.agent.v1.Histogram
                 * @instance
                 */
                Histogram.prototype.sum = 0;

                /**
                 * Histogram min.
                 * @member {number} min
                 * @memberof carillon.agent.v1.Histogram
                 * @instance
                 */
                Histogram.prototype.min = 0;

                /**
                 * Histogram max.
                 * @member {number} max
                 * @memberof carillon.agent.v1.Histogram
                 * @instance
                 */
                Histogram.prototype.max = 0;

                /**
                 * Encodes the specified Histogram message. Does not implicitly {@link carillon.agent.v1.Histogram.verify|verify} messages.
                 * @function encode
                 * @memberof carillon.agent.v1.Histogram
                 * @static
                 * @param {carillon.agent.v1.Histogram.$Properties} message Histogram message or plain object to encode
                 * @param {$protobuf.Writer} [writer] Writer to encode to
                 * @returns {$protobuf.Writer} Writer
                 */
                Histogram.encode = function (message, writer, _depth) {
                    if (!writer)
                        writer = $Writer.create();
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $util.recursionLimit)
                        throw $Error("max depth exceeded");
                    if (message.bucket != null && message.bucket.length)
                        writer.uint32(/* id 1, wireType 2 =*/10).uint32s(message.bucket);
                    if (message.count != null && message.count.length)
                        writer.uint32(/* id 2, wireType 2 =*/18).uint32s(message.count);
                    if (message.sum != null && $Object.hasOwnProperty.call(message, "sum") && !$Object.is(message.sum, 0))
                        writer.uint32(/* id 3, wireType 1 =*/25).double(message.sum);
                    if (message.min != null && $Object.hasOwnProperty.call(message, "min") && !$Object.is(message.min, 0))
                        writer.uint32(/* id 4, wireType 5 =*/37).float(message.min);
                    if (message.max != null && $Object.hasOwnProperty.call(message, "max") && !$Object.is(message.max, 0))
                        writer.uint32(/* id 5, wireType 5 =*/45).float(message.max);
                    if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                        for (let i = 0; i < message.$unknowns.length; ++i)
                            writer.raw(message.$unknowns[i]);
                    return writer;
                };

                /**
                 * Decodes a Histogram message from the specified reader or buffer.
                 * @function decode
                 * @memberof carillon.agent.v1.Histogram
                 * @static
                 * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
                 * @param {number} [length] Message length if known beforehand
                 * @returns {carillon.agent.v1.Histogram & carillon.agent.v1.Histogram.$Shape} Histogram
                 * @throws {Error} If the payload is not a reader or valid buffer
                 * @throws {$protobuf.util.ProtocolError} If required fields are missing
                 */
                Histogram.decode = function (reader, length, _end, _depth, _target) {
                    if (!(reader instanceof $Reader))
                        reader = $Reader.create(reader);
                    if (_depth === $undefined)
                        _depth = 0;
                    if (_depth > $Reader.recursionLimit)
                        throw $Error("max depth exceeded");
                    let end, message, value;
                    if (length === $undefined)
                        end = reader.len;
                    else {
                        end = reader.pos + length;
                        if (end > reader.len)
                            throw $RangeError("index out of range");
                        length = reader.len;
                        reader.len = end;
                    }
                    message = _target || new $root.carillon.agent.v1.Histogram();
                    while (reader.pos < end) {
                        let start = reader.pos;
                        let tag = reader.tag();
                        if (tag === _end) {
                            _end = $undefined;
                            break;
                        }
                        let wireType = tag & 7;
                        switch (tag >>>= 3) {
                        case 1: {
                                if (wireType === 2) {
                                    if (!(message.bucket && message.bucket.length))
                                        message.bucket = [];
                                    reader.uint32s(message.bucket);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.bucket && message.bucket.length))
                                    message.bucket = [];
                                message.bucket.push(reader.uint32());
                                continue;
                            }
                        case 2: {
                                if (wireType === 2) {
                                    if (!(message.count && message.count.length))
                                        message.count = [];
                                    reader.uint32s(message.count);
                                    continue;
                                }
                                if (wireType !== 0)
                                    break;
                                if (!(message.count && message.count.length))
                                    message.count = [];
                                message.count.push(reader.uint32());
                                continue;
                            }
                        case 3: {
                                if (wireType !== 1)
                                    break;
                                if (!$Object.is(value = reader.double(), 0))
                                    message.sum = value;
                                else
                                    delete message.sum;
                                continue;
                            }
                        case 4: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.min = value;
                                else
                                    delete message.min;
                                continue;
                            }
                        case 5: {
                                if (wireType !== 5)
                                    break;
                                if (!$Object.is(value = reader.float(), 0))
                                    message.max = value;
                                else
                                    delete message.max;
                                continue;
                            }
                        }
                        reader.skipType(wireType, _depth, tag);
                        if (!reader.discardUnknown) {
                            $util.makeProp(message, "$unknowns", false);
                            (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                        }
                    }
                    if (length !== $undefined) {
                        if (reader.pos !== end)
                            throw $RangeError("index out of range");
                        reader.len = length;
                    }
                    if (_end !== $undefined)
                        throw $Error("missing end group");
                    return message;
                };

                return Histogram;
            })();

            return v1;
        })();

        return agent;
    })();

    return carillon;
})();

export {
  $root as default
};
