import { startReplicaSet } from "./mongo-server.ts"

/** One server for all files of a run, unless there is one already. */
export const setup = async () => {
  if (process.env["MONGODB_URL"] !== undefined) return
  const { url, stop } = await startReplicaSet()
  process.env["MONGODB_URL"] = url
  return stop
}
