import cluster, { type Worker } from "node:cluster"
import { Effect, Redacted } from "effect"

// The process that starts the workers unwraps the secrets once and sends them to each worker. A worker that is replaced while the key
// management cannot be reached starts all the same.

type Secrets = ReadonlyArray<Redacted.Redacted<string>>

const request = "secrets"

/** Sends the secrets to a worker when it requests them. */
export const answerWorker = (worker: Worker, secretsOf: () => Secrets): void => {
  worker.on("message", (message) => {
    // With a callback, a worker that ended in the meantime causes no error event, which would end this process.
    if (message === request) worker.send({ secrets: secretsOf().map(Redacted.value) }, () => {})
  })
}

/** The secrets of this worker, from the process that started it. */
export const receivedSecrets: Effect.Effect<Secrets> = Effect.callback((resume) => {
  cluster.worker?.once("message", ({ secrets }: { readonly secrets: ReadonlyArray<string> }) => {
    resume(Effect.succeed(secrets.map((secret) => Redacted.make(secret))))
  })
  cluster.worker?.send(request)
})
