import { useActionState } from "react"
import { createClient, type SessionOf, type SessionState } from "sallyport/client"
import { useSession } from "sallyport/react"

const client = createClient()

/** The account of the user. The server renders it with the session of the request, and the browser renders it with the same session. */
export const Account = ({ rendered }: { readonly rendered: SessionState<SessionOf> }) => {
  const session = useSession(client, rendered)
  if (session.status !== "authenticated") return <SignIn />
  return (
    <section>
      <p>Signed in as {session.user.email}</p>
      <button type="button" onClick={() => client.signOut()}>
        Sign out
      </button>
    </section>
  )
}

const enter = async (_: string, form: FormData) => {
  const input = { email: String(form.get("email")), password: String(form.get("password")) }
  const { error } = form.get("way") === "up" ? await client.signUp.email(input) : await client.signIn.email(input)
  return error?.message ?? ""
}

const SignIn = () => {
  const [message, act] = useActionState(enter, "")
  return (
    <form action={act}>
      <input name="email" type="email" placeholder="Email" required />
      <input name="password" type="password" placeholder="Password" required />
      <button type="submit" name="way" value="up">
        Sign up
      </button>
      <button type="submit" name="way" value="in">
        Sign in
      </button>
      <p role="alert">{message}</p>
    </form>
  )
}
