"""OpenAI's Responses API: the request, and the stream that answers it."""
