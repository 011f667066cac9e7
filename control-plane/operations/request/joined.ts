/** The fields of an answer that are those of features, each of which gives its own (`Hooks` of ports.ts). */
export const joined = <T extends object>(parts: readonly (Partial<T> | undefined)[]): T => Object.assign({}, ...parts);
