import { Effect, Layer } from "effect"

/** A layer of a module that is imported when the layer is built. */
export const loaded = <A, E, R>(load: () => Promise<Layer.Layer<A, E, R>>) => Layer.unwrap(Effect.promise(load))
