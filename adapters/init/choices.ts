/** The answers of the four questions. */
export interface Choices {
  readonly framework: Framework
  readonly layout: Layout
  readonly store: Store
  readonly methods: ReadonlyArray<Method>
}

export const frameworks = ["next", "express", "hono", "fastify", "separate"] as const
export const layouts = ["mount", "proxy"] as const
export const stores = ["embedded", "postgres", "mongo"] as const
export const methods = ["password", "passkey", "google", "magic_link"] as const

export type Framework = (typeof frameworks)[number]
export type Layout = (typeof layouts)[number]
export type Store = (typeof stores)[number]
export type Method = (typeof methods)[number]

export const titles = {
  next: "Next.js",
  express: "Express",
  hono: "Hono",
  fastify: "Fastify",
  separate: "Another one: Sallyport is a service of its own",
  mount: "In your server",
  proxy: "As a service of its own, behind the same proxy as your application",
  embedded: "Embedded in the process, for development and one instance",
  postgres: "PostgreSQL",
  mongo: "MongoDB",
  password: "Password",
  passkey: "Passkey",
  google: "Google",
  magic_link: "Link by mail",
} as const satisfies Record<Framework | Layout | Store | Method, string>

/** The command that creates a new project. */
export const scaffolders = {
  next: "npx create-next-app@latest",
  express: "npm init -y && npm install express",
  hono: "npm create hono@latest -- --template nodejs",
  fastify: "npm init fastify",
  separate: "npm init -y",
} as const satisfies Record<Framework, string>
