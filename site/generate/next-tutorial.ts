import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { type Choices, scaffolders } from "../../adapters/init/choices.ts"
import { planOf } from "../../adapters/init/files.ts"
import { readProject } from "../../adapters/init/project.ts"
import { described } from "../../adapters/init/report.ts"
import { added, nodeNote, shell, shown } from "./frameworks.ts"
import { code } from "./markdown.ts"
import { madePage } from "./page.ts"

/** What `create-next-app` leaves, as far as `init` reads it. */
const scaffold = {
  ".gitignore": ".env*\n",
  "package.json": JSON.stringify({ dependencies: { next: "16" } }),
  "tsconfig.json": "{}",
  "app/page.tsx": "",
}
const choices: Choices = { framework: "next", layout: "mount", store: "embedded", methods: ["password", "passkey"] }

/** What `init` prints in a new application. */
const printed = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-next-"))
  try {
    for (const [name, text] of Object.entries(scaffold)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    return described(planOf(readProject(folder, {})!, choices), "npm install --save-exact sallyport", true)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const folder = "next-mounted"
const example = shown(folder)

export const nextTutorial = madePage("start/next", "Next.js with sign-in in ten minutes", "examples/next-mounted/README.md", [
  "A new application of Next.js that signs users up, in and out; the service runs inside of it.",
  nodeNote,
  "## Create the application",
  shell(folder, `${scaffolders.next} my-app --yes`, "cd my-app", "npm create sallyport"),
  "The last command asks where Sallyport runs, for the database and the ways to sign in, and whether to write the files. With its defaults it prints:",
  code("text", printed()),
  "## Follow the steps",
  added(folder, "next.config.ts"),
  "Add `.sallyport/` to `.gitignore`: it has the data until `SALLYPORT_DATABASE_URL` names a database (`DATABASE_URL`, if you chose PostgreSQL or MongoDB). `client_address` and `SALLYPORT_PUBLIC_URL` can wait until you deploy.",
  "## Show the session",
  "Replace the first file, and add the others:",
  example("app/page.tsx"),
  example("app/sign-up.tsx"),
  example("app/actions.ts"),
  "## Protect a route",
  example("app/me/route.ts"),
  "## Try it",
  shell(folder, "npm run dev"),
  "Open `http://localhost:3000` and sign up. `/auth/sign-in` and `/auth/account` are pages of the service; `/me` answers 401 until you sign in. Mails are printed in the terminal.",
  "Next: [deploy it](/frameworks/next/#deploy), [add Google](/guides/google/), [more modules](/modules/).",
])
