"""What other services post here: mail, as the services that take it in send it on."""
