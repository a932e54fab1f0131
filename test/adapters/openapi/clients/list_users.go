package main

import (
	"context"
	"os"
	"strconv"

	client "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func demand(holds bool, otherwise string) {
	if !holds {
		panic(otherwise)
	}
}

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Args[1]}}
	api := client.NewAPIClient(configuration)
	session := context.WithValue(context.Background(), client.ContextAccessToken, os.Args[2])
	count, _ := strconv.Atoi(os.Args[3])

	seen := map[string]bool{}
	listed := 0
	request := api.AdminAPI.AdminUsersList(session).Limit(500)
	for {
		page, _, err := request.Execute()
		demand(err == nil, "no page")
		for _, user := range page.Users {
			demand(!seen[user.Id], "a user was listed twice")
			seen[user.Id] = true
			if attributes := user.Attributes; attributes != nil && len(attributes.Teams) == 2 {
				demand((*attributes.Plan == "free") == (attributes.Teams[0]%2 == 1), "another plan")
				listed++
			}
		}
		cursor := page.NextCursor.Get()
		if cursor == nil {
			break
		}
		request = request.Cursor(*cursor)
	}
	demand(listed == count, "other users are listed")
}
