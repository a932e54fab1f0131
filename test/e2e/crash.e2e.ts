import { truncateSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { freshStore } from "./database.ts"
import type { Program } from "./program.ts"
import { install, start, temporaryFolder } from "./program.ts"
import { pause } from "./waiting.ts"

const signUps = 200
const kills = 8
const clients = 8

const embedded = async () => ({ kind: "embedded", directory: join(temporaryFolder(), "data") })
const shared = process.env["STORE"] ?? "postgres"
const stores: Readonly<Record<string, () => Promise<object>>> =
  shared === "postgres" ? { embedded, postgres: freshStore } : { [shared]: freshStore }

const person = (index: number) => ({ email: `person${index}@example.com`, password: `correct horse ${index}` })

/** Runs a job for every index, a few at once. */
const forAll = async (count: number, job: (index: number) => Promise<void>) => {
  let next = 0
  const work = async () => {
    while (next < count) await job(next++)
  }
  await Promise.all(Array.from({ length: clients }, work))
}

/** Signs users up while the process is killed again and again, and returns the answer to each. */
const signUpUnderKills = async (program: Program) => {
  const answers: Array<number | "none"> = []
  let begun = 0
  let up = program.ready()

  const killer = async () => {
    for (let kill = 0; kill < kills; kill++) {
      const after = Math.floor(((kill + Math.random()) * signUps) / kills)
      while (begun < after) await pause(1)
      await up
      await pause(Math.random() * 20)
      await program.kill()
      up = comeBack(program)
      await up
    }
  }
  const allSignUps = forAll(signUps, async (index) => {
    await up
    begun += 1
    const answer = await program.call("/sign-up/email", person(index)).catch(() => undefined)
    answers[index] = answer?.status ?? "none"
    // The process has been killed or will be: the loop above waits for its next start.
    if (answer === undefined) await pause(20)
  })
  await Promise.all([killer(), allSignUps])
  return answers
}

/** Starts the program again. Half of the starts are killed as well, at a random moment. */
const comeBack = async (program: Program) => {
  program.begin()
  if (Math.random() < 0.5) {
    await pause(Math.random() * 1500)
    await program.kill()
    program.begin()
  }
  await program.ready()
}

describe.each(Object.keys(stores))("on %s, under repeated SIGKILL", (store) => {
  it(`loses no sign-up that was answered, and stores none in part`, async () => {
    const program = await install({ store: await stores[store]!() })
    program.begin()
    const answers = await signUpUnderKills(program)

    const acknowledged = answers.filter((answer) => answer === 200).length
    expect(answers.every((answer) => answer === 200 || answer === "none")).toBe(true)
    expect(acknowledged).toBeGreaterThan(signUps / 2)

    const faults: Array<string> = []
    let whole = 0
    await forAll(signUps, async (index) => {
      const answered = answers[index] === 200
      const { exists, fault } = await lookAt(program, person(index))
      if (!answered && exists) whole += 1
      if (answered && !exists) faults.push(`${person(index).email}: was answered 200 and is gone`)
      if (fault !== undefined) faults.push(`${person(index).email}: ${fault}`)
    })
    console.log(`${store}: ${kills} kills, ${acknowledged} sign-ups answered, ${whole} of the other ${signUps - acknowledged} made`)
    expect(faults).toEqual([])
  })
})

/** An account is stored completely or not at all. */
const lookAt = async ({ call }: Program, credentials: ReturnType<typeof person>) => {
  const signIn = await call("/sign-in/email", credentials)
  const again = await call("/sign-up/email", credentials)
  if (signIn.status !== 200) {
    const nothing = signIn.status === 401 && again.status === 200
    return { exists: false, fault: nothing ? undefined : `signs in with ${signIn.status} and up with ${again.status}` }
  }
  const { body } = await call("/list-accounts", undefined, { cookie: signIn.cookie })
  const all = again.status === 422 && body.accounts?.length === 1
  return { exists: true, fault: all ? undefined : `signs up again with ${again.status}, has ${body.accounts?.length} ways to sign in` }
}

it("starts again when it was killed at the moment PostgreSQL had made its lock file and written nothing into it", async () => {
  const directory = join(temporaryFolder(), "data")
  const program = await start({ store: { kind: "embedded", directory } })
  await program.call("/sign-up/email", person(0))
  await program.kill()
  truncateSync(join(directory, "pg", "postmaster.pid"))
  program.begin()
  await program.ready()
  expect((await program.call("/sign-in/email", person(0))).status).toBe(200)
})
