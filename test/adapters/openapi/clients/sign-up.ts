import createClient from "openapi-fetch"
import type { paths } from "./types.d.ts"

const password = "correct horse battery staple"
const client = createClient<paths>({ baseUrl: process.argv[2] ?? "" })

const { data, error, response } = await client.POST("/sign-up/email", { body: { email: "ts@example.com", password } })
if (error !== undefined) throw new Error(error.error.code)
const email: string = data.user.email
const authorization = `Bearer ${response.headers.get("set-auth-token")}`

const listed = await client.GET("/list-sessions", { headers: { authorization } })
if (listed.data?.sessions.length !== 1) throw new Error("there is no session")

const signedIn = await client.POST("/sign-in/email", { body: { email, password } })
if (signedIn.data === undefined || !("user" in signedIn.data)) throw new Error("there is no user")

const again = await client.POST("/sign-up/email", { body: { email, password } })
if (again.error?.error.code !== "user_already_exists") throw new Error("signed up twice")

// @ts-expect-error: the password is missing
const incomplete = () => client.POST("/sign-up/email", { body: { email } })
// @ts-expect-error: no operation has this code
const unknown = () => again.error?.error.code === "no_such_code"
void [incomplete, unknown]
