/** The ids of rows: their form is decided here. New ones ascend with time, so that an index grows at its end only. */
export { NIL, v5 as derivedId, v7 as newId, validate as isUuid } from 'uuid';
