package dev.skep.models.provider;

import java.util.List;

/** How each dialect writes the same reply: "Hello world", used 100 in (40 cached), 20 out. */
public enum WireFormat {
    ANTHROPIC(ProviderProtocol.ANTHROPIC) {
        @Override
        List<String> opening() {
            return List.of(
                    """
                    event: message_start
                    data: {"type":"message_start","message":{"id":"m1","type":"message","role":"assistant","model":"test","content":[],"stop_reason":null,"usage":{"input_tokens":50,"cache_read_input_tokens":40,"cache_creation_input_tokens":10,"output_tokens":1}}}

                    """,
                    """
                    event: content_block_start
                    data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

                    event: ping
                    data: {"type":"ping"}

                    event: content_block_delta
                    data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}

                    """);
        }

        @Override
        String closing() {
            return """
            event: content_block_delta
            data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" world"}}

            event: content_block_stop
            data: {"type":"content_block_stop","index":0}

            event: message_delta
            data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":20}}

            event: message_stop
            data: {"type":"message_stop"}

            """;
        }

        @Override
        public String twoCalls() {
            return opening().getFirst()
                    + """
                    event: content_block_start
                    data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"run","input":{}}}

                    event: content_block_delta
                    data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\\"command\\": \\"ls"}}

                    event: content_block_delta
                    data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":" -la\\"}"}}

                    event: content_block_stop
                    data: {"type":"content_block_stop","index":0}

                    event: content_block_start
                    data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_2","name":"run","input":{}}}

                    event: content_block_delta
                    data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\\"command\\": \\"echo \\\\\\"ü\\\\\\"\\"}"}}

                    event: content_block_stop
                    data: {"type":"content_block_stop","index":1}

                    event: message_delta
                    data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":20}}

                    event: message_stop
                    data: {"type":"message_stop"}

                    """;
        }

        @Override
        String cutShort() {
            return String.join("", opening()) + closing().replace("end_turn", "max_tokens");
        }

        @Override
        String errorEvent() {
            return """
            event: error
            data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}

            """;
        }
    },

    OPENAI(ProviderProtocol.OPENAI) {
        @Override
        List<String> opening() {
            return openAiOpening();
        }

        @Override
        String closing() {
            return openAiClosing("stop");
        }

        @Override
        public String twoCalls() {
            return openAiCalls();
        }

        @Override
        String cutShort() {
            return String.join("", opening()) + openAiClosing("length");
        }

        @Override
        String errorEvent() {
            return openAiError();
        }
    },

    OPENAI_COMPATIBLE(ProviderProtocol.OPENAI_COMPATIBLE) {
        @Override
        List<String> opening() {
            return openAiOpening();
        }

        @Override
        String closing() {
            return openAiClosing("stop");
        }

        @Override
        public String twoCalls() {
            return openAiCalls();
        }

        @Override
        String cutShort() {
            return String.join("", opening()) + openAiClosing("length");
        }

        @Override
        String errorEvent() {
            return openAiError();
        }
    },

    OPENAI_RESPONSES(ProviderProtocol.OPENAI_RESPONSES) {
        @Override
        List<String> opening() {
            return List.of(
                    """
                    event: response.created
                    data: {"type":"response.created","response":{"id":"r1","object":"response","status":"in_progress","model":"test","output":[],"error":null,"usage":null}}

                    """,
                    """
                    event: response.output_item.added
                    data: {"type":"response.output_item.added","output_index":0,"item":{"id":"m1","type":"message","status":"in_progress","role":"assistant","content":[]}}

                    event: response.output_text.delta
                    data: {"type":"response.output_text.delta","item_id":"m1","output_index":0,"content_index":0,"delta":"Hello"}

                    """);
        }

        @Override
        String closing() {
            return closing("completed", "completed", "null");
        }

        private String closing(String event, String status, String why) {
            return """
            event: response.output_text.delta
            data: {"type":"response.output_text.delta","item_id":"m1","output_index":0,"content_index":0,"delta":" world"}

            event: response.%1$s
            data: {"type":"response.%1$s","response":{"id":"r1","object":"response","status":"%2$s","error":null,"incomplete_details":%3$s,"model":"test","output":[{"id":"m1","type":"message","status":"%2$s","role":"assistant","content":[{"type":"output_text","annotations":[],"text":"Hello world"}]}],"usage":%4$s}}

            """
                    .formatted(event, status, why, USED);
        }

        @Override
        public String twoCalls() {
            return opening().getFirst()
                    + """
                    data: {"type":"response.output_item.done","output_index":0,"item":{"id":"f1","type":"function_call","status":"completed","call_id":"call_1","name":"run","arguments":"{\\"command\\":\\"ls -la\\"}"}}

                    data: {"type":"response.output_item.done","output_index":1,"item":{"id":"f2","type":"function_call","status":"completed","call_id":"call_2","name":"run","arguments":"{\\"command\\":\\"echo \\\\\\"ü\\\\\\"\\"}"}}

                    data: {"type":"response.completed","response":{"id":"r1","object":"response","status":"completed","error":null,"incomplete_details":null,"model":"test","output":[],"usage":%s}}

                    """
                            .formatted(USED);
        }

        @Override
        String cutShort() {
            return String.join("", opening())
                    + closing("incomplete", "incomplete", "{\"reason\":\"max_output_tokens\"}");
        }

        @Override
        String errorEvent() {
            return """
            event: error
            data: {"type":"error","code":"server_error","message":"The server had an error","param":null}

            """;
        }
    },

    GOOGLE(ProviderProtocol.GOOGLE) {
        @Override
        List<String> opening() {
            return List.of(
                    """
                    data: {"candidates":[{"content":{"parts":[{"text":"Hel"}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":100,"cachedContentTokenCount":40,"candidatesTokenCount":1,"totalTokenCount":101},"modelVersion":"test"}

                    """,
                    """
                    data: {"candidates":[{"content":{"parts":[{"text":"lo"}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":100,"cachedContentTokenCount":40,"candidatesTokenCount":2,"totalTokenCount":102},"modelVersion":"test"}

                    """);
        }

        @Override
        String closing() {
            return last("STOP");
        }

        private String last(String reason) {
            return """
            data: {"candidates":[{"content":{"parts":[{"text":" world"}],"role":"model"},"finishReason":"%s","index":0}],"usageMetadata":{"promptTokenCount":100,"cachedContentTokenCount":40,"candidatesTokenCount":15,"thoughtsTokenCount":5,"totalTokenCount":120},"modelVersion":"test"}

            """
                    .formatted(reason);
        }

        @Override
        public String twoCalls() {
            return """
            data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"run","args":{"command":"ls -la"}}},{"functionCall":{"name":"run","args":{"command":"echo \\"ü\\""}}}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":100,"cachedContentTokenCount":40,"candidatesTokenCount":15,"thoughtsTokenCount":5,"totalTokenCount":120},"modelVersion":"test"}

            """;
        }

        @Override
        String cutShort() {
            return String.join("", opening()) + last("MAX_TOKENS");
        }

        @Override
        String errorEvent() {
            return """
            data: {"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}

            """;
        }
    };

    private static final String USED =
            "{\"input_tokens\":100,\"input_tokens_details\":{\"cached_tokens\":40},\"output_tokens\":20,\"output_tokens_details\":{\"reasoning_tokens\":5},\"total_tokens\":120}";

    public final ProviderProtocol providerProtocol;

    WireFormat(ProviderProtocol providerProtocol) {
        this.providerProtocol = providerProtocol;
    }

    /** The beginning of the reply, some of its text included. */
    abstract List<String> opening();

    abstract String closing();

    /** A reply that runs {@code ls -la} and {@code echo "ü"}. */
    public abstract String twoCalls();

    /** The reply, ended by the output limit. */
    abstract String cutShort();

    /** What is sent when the provider gives up in the middle. */
    abstract String errorEvent();

    String whole() {
        return String.join("", opening()) + closing();
    }

    private static List<String> openAiOpening() {
        return List.of(
                """
                data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"test","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}

                """,
                """
                data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"test","choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}

                """);
    }

    private static String openAiClosing(String reason) {
        return """
        data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"test","choices":[{"index":0,"delta":{"content":" world"},"finish_reason":null}]}

        data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"test","choices":[{"index":0,"delta":{},"finish_reason":"%s"}]}

        data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"test","choices":[],"usage":{"prompt_tokens":100,"completion_tokens":20,"total_tokens":120,"prompt_tokens_details":{"cached_tokens":40},"completion_tokens_details":{"reasoning_tokens":5}}}

        data: [DONE]

        """
                .formatted(reason);
    }

    private static String openAiCalls() {
        return """
        data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"test","choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"run","arguments":""}}]},"finish_reason":null}]}

        data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"test","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\\"command\\":"}}]},"finish_reason":null}]}

        data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"test","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\\"ls -la\\"}"}}]},"finish_reason":null}]}

        data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"test","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"call_2","type":"function","function":{"name":"run","arguments":"{\\"command\\":\\"echo \\\\\\"ü\\\\\\"\\"}"}}]},"finish_reason":null}]}

        data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"test","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}

        data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"test","choices":[],"usage":{"prompt_tokens":100,"completion_tokens":20,"total_tokens":120,"prompt_tokens_details":{"cached_tokens":40}}}

        data: [DONE]

        """;
    }

    private static String openAiError() {
        return """
        data: {"error":{"message":"The server had an error","type":"server_error","code":null}}

        """;
    }
}
