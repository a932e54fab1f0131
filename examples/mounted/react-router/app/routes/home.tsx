import { Form, redirect, useLoaderData } from "react-router"
import { auth } from "../auth.server"

interface Args {
  readonly request: Request
}

export const loader = async ({ request }: Args) => {
  const verdict = await auth.getSession(request, { extend: false })
  if (verdict.status === "unavailable") throw new Response(null, { status: 503 })
  return { email: verdict.status === "authenticated" ? verdict.user.email : null }
}

export const action = async ({ request }: Args) => {
  const { headers } = await auth.call.signOut({ headers: request.headers })
  return redirect("/", { status: 303, headers })
}

const Home = () => {
  const { email } = useLoaderData<typeof loader>()
  if (email === null) return <a href="/auth/sign-in">Sign in</a>
  return (
    <Form method="post" action="/?index">
      <p>Signed in as {email}</p>
      <button type="submit">Sign out</button>
    </Form>
  )
}
export default Home
