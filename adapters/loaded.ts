import { Effect, Layer } from "effect"

/** A layer whose module is imported only when the layer is built. */
export const loaded = <A, E, R>(load: () => Promise<Layer.Layer<A, E, R>>) => Layer.unwrap(Effect.promise(load))
