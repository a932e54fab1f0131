import type { Mail, SallyportConfiguration } from "../../../index.ts"

export const password = "correct horse battery staple"
export const publicUrl = "http://localhost:3000"

/** A service in memory, whose mails a test reads. */
export const configured = () => {
  const mails: Array<Mail> = []
  const configuration = {
    secret: "a secret for these tests only, 32+ bytes",
    store: { kind: "memory" },
    mail: { send: async (mail: Mail) => void mails.push(mail) },
    sms: { kind: "none" },
    log: { level: "none" },
    cookie: { secure: false },
    email_password: { enabled: true, hash: { memory_kib: 1024, passes: 1, lanes: 1 } },
    modules: { username: {}, two_factor: {} },
  } as const satisfies SallyportConfiguration
  return { mails, configuration }
}

/** A request of a page of the service's own origin. */
export const request = (path: string, { body, cookie, base = publicUrl }: { body?: unknown; cookie?: string; base?: string } = {}) =>
  new Request(`${base}/api/auth${path}`, {
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...(cookie === undefined ? {} : { cookie }) },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  })

/** The first cookie of a response, as a browser sends it back. */
export const cookieOf = (headers: Headers): string => headers.getSetCookie()[0]?.split(";")[0] ?? ""
