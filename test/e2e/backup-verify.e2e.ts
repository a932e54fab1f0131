import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { binaries } from "../postgres-server.ts"
import { freshDatabase, sql } from "./database.ts"
import { startMailbox } from "./mailbox.ts"
import { install, type Program, start, temporaryFolder } from "./program.ts"
import { until } from "./waiting.ts"

const credentials = { email: "ada@example.com", password: "correct horse battery staple" }
const modules = { audit: {}, two_factor: {} }

/** What `backup verify` finds: the findings that are not "ok", by their check, and the exit code. */
const verify = async (program: Program, ...args: ReadonlyArray<string>) => {
  const { stdout, code } = await program.command("backup", "verify", "--json", ...args).then(
    (stdout) => ({ stdout, code: 0 }),
    (fault: { readonly stdout: string; readonly code: number }) => fault,
  )
  const findings: ReadonlyArray<{ readonly check: string; readonly level: string; readonly text: string }> = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  return { code, findings, faults: findings.filter(({ level }) => level !== "ok").map(({ check, text }) => `${check}: ${text}`) }
}

/** A service with a user, an authenticator app, and audit records under a seal. */
const filled = async (store: object) => {
  const program = await start({ store, modules, mail: { kind: "none" } })
  const { cookie } = await program.call("/sign-up/email", credentials)
  expect((await program.call("/2fa/totp/enable", { password: credentials.password }, { cookie })).status).toBe(200)
  return program
}

const dump = (url: string, file = join(temporaryFolder(), "sallyport.dump")) => {
  execFileSync(join(binaries(), "pg_dump"), ["--format=custom", "--no-owner", `--file=${file}`, url])
  return file
}

const scratches = async (url: string) => (await sql(url, "SELECT datname FROM pg_database WHERE datname LIKE 'sallyport_verify_%'")).length

it("a dump of PostgreSQL is sound; one with a changed audit record, another secret or half of the file is not", async () => {
  const url = await freshDatabase()
  const program = await filled({ kind: "postgres", url })
  await until("a seal", async () => (await sql(url, "SELECT 1 FROM audit_seal")).length > 0 || undefined, 90)
  const file = dump(url)

  const sound = await verify(program, file)
  expect(sound).toMatchObject({ code: 0, faults: [] })
  const text = (check: string) => sound.findings.find((finding) => finding.check === check)?.text
  expect(text("rows")).toMatch(/\buser 1\b/)
  expect(text("secrets")).toBe("all 1 encrypted values can be opened")
  expect(text("audit_log")).toMatch(/^[1-9]\d* records under [1-9]\d* seals are unchanged$/)
  expect(text("age")).toMatch(/^made \d+ s ago, /)
  expect((await sql(url, "SELECT is_sound, made_at IS NOT NULL AS dated FROM upkeep WHERE id = 'backup'"))[0]).toEqual({
    is_sound: true,
    dated: true,
  })

  const other = await install({ store: { kind: "postgres", url }, modules, secret: "another secret of thirty-two bytes or more" })
  const strange = await verify(other, file)
  expect(strange.code).toBe(1)
  expect(strange.faults).toContain("secrets: 1 values of two_factor.secret cannot be opened")

  const copy = await freshDatabase()
  execFileSync(join(binaries(), "pg_restore"), ["--no-owner", "--exit-on-error", `--dbname=${copy}`, file])
  expect(await verify(program, "--restored", copy)).toMatchObject({ code: 0, faults: [] })
  await sql(copy, "UPDATE audit_record SET outcome = 'changed' WHERE id = (SELECT min(id) FROM audit_record)")
  const tampered = await verify(program, dump(copy))
  expect(tampered).toMatchObject({ code: 1, faults: [expect.stringMatching(/^audit_log: record .* was changed$/)] })
  expect((await sql(url, "SELECT is_sound FROM upkeep WHERE id = 'backup'"))[0]).toEqual({ is_sound: false })

  const half = join(temporaryFolder(), "half.dump")
  writeFileSync(half, readFileSync(file).subarray(0, 20_000))
  expect(await verify(program, half)).toMatchObject({
    code: 1,
    faults: [expect.stringMatching(/^restore: The backup cannot be restored \(/)],
  })
  expect(await scratches(url)).toBe(0)
})

it("waiting mails of the copy are not sent, although the mail server answers", async () => {
  const url = await freshDatabase()
  const mailbox = await startMailbox()
  await mailbox.close()
  const service = await start({ store: { kind: "postgres", url }, mail: mailbox.mail })
  await service.call("/sign-up/email", credentials)
  await service.call("/send-verification-email", { email: credentials.email })
  await until("a waiting mail", async () => (await sql(url, "SELECT 1 FROM outbox")).length > 0 || undefined)
  const file = dump(url)
  await service.kill()
  await sql(url, "UPDATE outbox SET due_at = now()")
  await mailbox.open()
  const sound = await verify(service, file)
  expect(sound.code).toBe(0)
  expect(sound.findings.find(({ check }) => check === "rows")?.text).toMatch(/\boutbox [1-9]/)
  expect(mailbox.emails).toEqual([])
  // The mail was due: the service itself sends it.
  service.begin()
  await mailbox.messageTo(credentials.email, /./)
})

it("a backup of the embedded database is sound; a damaged one and another secret are not", async () => {
  const folder = temporaryFolder()
  const store = { kind: "embedded", directory: join(folder, "data") }
  const program = await filled(store)
  const file = join(folder, "backup.tgz")
  await program.command("backup", file)
  const beside = await verify(program, file)
  expect(beside.faults).toEqual([expect.stringMatching(/^note: the result was not noted for `doctor` \(.*in use by process/)])
  expect(beside.code).toBe(0)
  await program.stop()
  expect(await verify(program, file)).toMatchObject({ code: 0, faults: [] })

  mkdirSync(join(folder, "other"))
  copyFileSync(file, join(folder, "other", "backup.tgz"))
  const other = await install({ store, modules, secret: "another secret of thirty-two bytes or more" })
  expect((await verify(other, join(folder, "other", "backup.tgz"))).faults).toContain(
    "secrets: 1 values of two_factor.secret cannot be opened",
  )
  writeFileSync(file, readFileSync(file).subarray(0, 100_000))
  expect(await verify(program, file)).toMatchObject({ code: 1, faults: [expect.stringMatching(/^restore: .* cannot be restored \(/)] })
})
