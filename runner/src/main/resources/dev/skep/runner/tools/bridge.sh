# Passes MCP messages from standard input to the runner's endpoint on loopback and its answers back,
# one a line and one at a time, for programs that start their MCP servers and dial none.
# variables: SKEP_TOOLS_PORT; SKEP_TOKEN, which is not an argument since everybody may read those
LC_ALL=C
while IFS= read -r line; do
    [ -n "$line" ] || continue
    exec 3<>"/dev/tcp/127.0.0.1/$SKEP_TOOLS_PORT" || exit 1
    printf 'POST /tools HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nAccept: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s' \
        "$SKEP_TOKEN" "${#line}" "$line" >&3
    length=0
    while IFS= read -r head <&3; do
        head=${head%$'\r'}
        case $head in
            '') break ;;
            [Cc]ontent-[Ll]ength:*) length=${head##*[: ]} ;;
        esac
    done
    if [ "$length" -gt 0 ]; then
        IFS= read -r -d '' -n "$length" answer <&3
        printf '%s\n' "$answer"
    fi
    exec 3>&-
done
