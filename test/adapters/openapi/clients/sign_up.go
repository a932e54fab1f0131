package main

import (
	"context"
	"os"

	client "github.com/GIT_USER_ID/GIT_REPO_ID"
)

const password = "correct horse battery staple"

func demand(holds bool, otherwise string) {
	if !holds {
		panic(otherwise)
	}
}

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Args[1]}}
	api := client.NewAPIClient(configuration)
	own := client.NewSignUpEmailInput("go@example.com", password)
	signedUp, response, err := api.EmailPasswordAPI.SignUpEmail(context.Background()).SignUpEmailInput(*own).Execute()
	demand(err == nil && signedUp.User.Email == "go@example.com", "not signed up")
	session := context.WithValue(context.Background(), client.ContextAccessToken, response.Header.Get("set-auth-token"))
	listed, _, err := api.SessionsAPI.ListSessions(session).Execute()
	demand(err == nil && len(listed.Sessions) == 1, "there is no session")
	again := client.NewSignInEmailInput("go@example.com", password)
	signedIn, _, err := api.EmailPasswordAPI.SignInEmail(context.Background()).SignInEmailInput(*again).Execute()
	demand(err == nil && signedIn.SignInEmailUser != nil, "not signed in")
}
