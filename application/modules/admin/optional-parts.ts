type Parts = Readonly<Record<string, ReadonlyArray<unknown>>>

/** What a feature adds to the module `admin`: nothing unless it is on. Its endpoints have their types in any case. */
export const partsIf = <P extends Parts>(isOn: boolean | undefined, parts: P): P =>
  isOn === true ? parts : (Object.fromEntries(Object.keys(parts).map((part) => [part, []])) as unknown as P)
