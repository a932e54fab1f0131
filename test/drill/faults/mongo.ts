import { pause } from "../../e2e/waiting.ts"
import { admin, type Server } from "../../mongo-server.ts"
import { type Fault, outOfService, sized } from "../fault.ts"

/** The faults of a replica set of one member. */
export const mongoFaults = (server: Server): ReadonlyArray<Fault> => {
  const shared = { tolerated: outOfService, stopsInstances: true } as const
  return [
    {
      ...shared,
      name: "MongoDB is killed and started",
      expected: "503, no acknowledged write lost",
      run: async () => {
        await server.halt()
        await pause(sized(2_000, 10_000))
        await server.resume()
        await pause(sized(3_000, 5_000))
      },
    },
    {
      ...shared,
      name: "MongoDB steps down",
      expected: "503 for a moment, no acknowledged write lost",
      run: async () => {
        const seconds = sized(2, 8)
        await admin(server.port, (client) => client.db("admin").command({ replSetStepDown: seconds, force: true }))
        await pause(seconds * 1000 + 3_000)
      },
    },
  ]
}
