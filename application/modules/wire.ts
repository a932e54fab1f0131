/** `DateTime.Utc` of Effect, whose own types an application would compile. */
interface Utc {
  readonly _tag: "Utc"
  readonly epochMilliseconds: number
}

/** The JSON representation of a value. */
export type Wire<T> = T extends Utc | Date
  ? string
  : T extends ReadonlyArray<infer E>
    ? ReadonlyArray<Wire<E>>
    : T extends object
      ? { readonly [K in keyof T]: Wire<T[K]> }
      : T
