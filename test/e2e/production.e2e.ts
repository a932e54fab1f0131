import { expect, it, vi } from "vitest"
import { sallyport } from "../../index.ts"
import { freshStore } from "./database.ts"
import { install, type Program } from "./program.ts"
import { until } from "./waiting.ts"

/** The findings of `doctor --production`, by check; and the exit code. */
const examine = async (program: Program, ...args: ReadonlyArray<string>) => {
  const { stdout, code } = await program.command("doctor", "--production", "--json", ...args).then(
    (stdout) => ({ stdout, code: 0 }),
    (fault: { readonly stdout: string; readonly code: number }) => fault,
  )
  const all = stdout
    .trim()
    .split("\n")
    .map((line): { readonly check: string; readonly level: string; readonly text: string } => JSON.parse(line))
  return { code, levelOf: (check: string) => all.filter((finding) => finding.check === check).map(({ level }) => level), all }
}

it("a service whose clock differs from that of the database warns once", async () => {
  const logged = vi.spyOn(console, "log").mockImplementation(() => {})
  const store = (await freshStore()) as { readonly kind: "postgres"; readonly url: string }
  const late = { now: () => Date.now() - 900_000 }
  const auth = sallyport({ secret: "a secret for these tests only, 32+ bytes", store, mail: { kind: "none" }, clock: late })
  await auth.ready()
  const warnings = () => logged.mock.calls.flat().filter((line) => String(line).includes("clock of the database"))
  const warning = await until("a warning", () => warnings()[0])
  await auth.close()
  expect(String(warning)).toMatch(/the clock of the database is (89\d|90\d)\.\d s ahead of the clock of this machine/)
  expect(warnings()).toHaveLength(1)
  logged.mockRestore()
})

it("the gate for production: errors decide the exit code, and checks that commands have noted count", async () => {
  const store = await freshStore()
  const base = {
    store,
    public_url: "https://accounts.example.com",
    trusted_proxies: ["10.0.0.0/8"],
    mail: { kind: "smtp", url: "smtp://127.0.0.1:1", from: "a@example.com" },
    modules: { audit: {} },
  }
  const program = await install({ ...base, rate_limit: { store: "store" } })
  await program.command("migrate")
  const first = await examine(program)
  expect(first.levelOf("audit_log")).toEqual(["warn"])
  expect(first.levelOf("clock")).toEqual(["ok"])
  expect(first.levelOf("connections")).toEqual(["ok"])
  expect(first.levelOf("replication")).toEqual(["warn"])
  // Nothing listens at the host of the documentation, and at the mail server.
  expect(first.levelOf("certificate")).toEqual(["warn"])
  expect(first.code).toBe(1)

  await program.command("audit", "verify")
  const second = await examine(program)
  expect(second.levelOf("audit_log")).toEqual(["ok"])

  const many = await examine(program, "--instances", "100000")
  expect(many.levelOf("connections")).toEqual(["error"])
  const separate = await install({ ...base, rate_limit: { store: "memory" } })
  expect((await examine(separate, "--instances", "2")).levelOf("rate_limit")).toContain("error")
})
