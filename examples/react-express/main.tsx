import { useActionState, useEffect, useState } from "react"
import { createRoot } from "react-dom/client"
import { createClient } from "sallyport/client"
import "sallyport/elements/user-button"
import "sallyport/elements.css"
import { useSession } from "sallyport/react"

const service = import.meta.env.VITE_AUTH_URL ?? "http://localhost:3000"
const client = createClient({ baseUrl: service })
const api = import.meta.env.VITE_API_URL ?? "http://localhost:3704"

/** The session's cookie does not reach a backend on another host, so the page sends it a token that is valid for some minutes. */
const readNotes = async (): Promise<string> => {
  const { data, error } = await client.token()
  if (error) return error.message
  const response = await fetch(`${api}/notes`, { headers: { authorization: `Bearer ${data.token}` } })
  return response.ok ? (await response.json()).notes : `The backend answers ${response.status}.`
}

const Notes = () => {
  const [notes, setNotes] = useState("")
  useEffect(() => {
    readNotes().then(setNotes, () => setNotes("The backend does not answer."))
  }, [])
  return <p>{notes}</p>
}

const App = () => {
  const session = useSession(client)
  if (session.status === "pending") return null
  if (session.status === "anonymous") return <SignIn />
  return (
    <section>
      <sallyport-user-button client={client}>
        <a href={`${service}/sign-in`}>Account</a>
      </sallyport-user-button>
      <p>Signed in as {session.user.email}</p>
      <Notes />
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

createRoot(document.getElementById("root")!).render(<App />)
