import { Button, Text, View } from "react-native"
import { useSession } from "sallyport/react"
import { client } from "./auth"

const App = () => {
  const session = useSession(client)
  return (
    <View style={{ flex: 1, justifyContent: "center", alignItems: "center" }}>
      {session.status === "authenticated" && <Text>Signed in as {session.user.email}</Text>}
      {session.status === "authenticated" && <Button title="Sign out" onPress={client.$signOut} />}
      {session.status === "anonymous" && <Button title="Sign in" onPress={() => client.$signIn()} />}
    </View>
  )
}

export default App
