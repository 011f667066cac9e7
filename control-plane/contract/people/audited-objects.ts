/** What the path of an operation says about its objects. Pages have it, so it has no schema. */

/** The kinds of objects that have ids, from the paths of operations: `webhooks`, because of `/webhooks/{webhookId}`. */
export const kindsIn = (paths: readonly string[]): ReadonlySet<string> =>
  new Set(paths.flatMap((path) => [...path.matchAll(/([a-z-]+)\/\{/g)].map((match) => match[1] as string)));

/** The kind of what an operation is about: that of the innermost object in its path, or of the one that it creates. */
export const kindOf = (path: string, kinds: ReadonlySet<string>): string => {
  const parts = path.split('/').slice(1);
  return parts.findLast((part) => kinds.has(part)) ?? (parts[0] as string);
};

/** The objects of a path with their ids, the innermost last. `values`: the parameters, and the `id` of a new object. */
export function objectsIn(
  path: string,
  values: Readonly<Record<string, unknown>>,
  kinds: ReadonlySet<string>,
): { readonly kind: string; readonly id: string }[] {
  const parts = path.split('/').slice(1);
  return parts.flatMap((kind, n) => {
    if (!kinds.has(kind)) return [];
    const id = values[/^\{(\w+)\}$/.exec(parts[n + 1] ?? '{id}')?.[1] ?? ''];
    return typeof id === 'string' ? [{ kind, id }] : [];
  });
}
