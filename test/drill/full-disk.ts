import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { atEnd } from "../e2e/endings.ts"
import { start, temporaryFolder } from "../e2e/program.ts"
import { until } from "../e2e/waiting.ts"

const password = "correct horse battery staple"
const person = (name: string) => ({ email: `${name}@example.com`, password })

/** Why a disk cannot be made full here. */
export const whyNoFullDisk = (): string | undefined =>
  process.platform === "linux" && process.getuid?.() === 0 ? undefined : "only root can mount a small disk"

/** The embedded database on a small disk that becomes full; returns what is wrong, as sentences. */
export const fillDisk = async (): Promise<ReadonlyArray<string>> => {
  const disk = temporaryFolder()
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=160m", "tmpfs", disk])
  const directory = join(disk, "data")
  mkdirSync(directory)
  const program = await start({ store: { kind: "embedded", directory } })
  atEnd(async () => {
    await program.kill()
    execFileSync("umount", [disk])
  })
  const { cookie } = await program.call("/sign-up/email", person("ada"))
  const read = async () => (await program.call("/get-session", undefined, { cookie })).body.user?.email
  const signUp = async (name: string) => (await program.call("/sign-up/email", person(name))).status

  const accepted = ["ada"]
  const filler = join(disk, "filler")
  for (let size = 2 ** 27; size >= 2 ** 12; size /= 2) {
    try {
      writeFileSync(filler, Buffer.alloc(size), { flag: "a" })
    } catch {
      // The next piece is smaller.
    }
  }
  const answers = new Set<number>()
  for (let index = 0; index < 500 && !answers.has(503); index++) {
    const status = await signUp(`person${index}`)
    answers.add(status)
    if (status === 200) accepted.push(`person${index}`)
  }
  const [full, whileFull] = [answers.has(503) && [...answers].every((status) => status === 200 || status === 503), await read()]
  rmSync(filler)
  await until("sign-ups after the disk has room", async () => (await signUp("grace").catch(() => 0)) === 200 || undefined)
  accepted.push("grace")
  await program.stop()
  program.begin()
  await program.ready()
  const lost: Array<string> = []
  for (const name of accepted) if ((await program.call("/sign-in/email", person(name))).status !== 200) lost.push(name)
  return [
    ...(full ? [] : [`writes were answered ${[...answers]}`]),
    ...(whileFull === person("ada").email ? [] : ["the session could not be read"]),
    ...(lost.length === 0 ? [] : [`${lost.length} of ${accepted.length} users are lost`]),
  ]
}
