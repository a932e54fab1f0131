import type { Choices } from "../choices.ts"
import type { Project } from "../project.ts"

/** A file that `init` writes. */
export interface NewFile {
  /** Relative to the project's folder. */
  readonly path: string
  readonly text: string
}

/** What the files of a framework are, and what the developer adds to files of their own. */
export interface Template {
  readonly files: ReadonlyArray<NewFile>
  /** Sentences, or lines of code to add. */
  readonly steps: ReadonlyArray<string>
  /** Whether the client imports the types that the package writes. */
  readonly isTyped?: boolean
}

export type Write = (project: Project, choices: Choices) => Template

/** The port of a service of its own, since the application has the one of `public_url`. */
export const servicePort = 3001

/** `auth` where the service is a process of its own. */
export const ofService = `import { createBackend } from "sallyport/backend"

export const auth = createBackend({ url: \`\${process.env.AUTH_URL ?? "http://127.0.0.1:${servicePort}"}/api/auth\` })
`
