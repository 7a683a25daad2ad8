# Runs one program or command line behind the wall that agents' shells have, and ends all that it
# started when it ends, when it is told to, or when the runner is gone.
# Runs as process 1 of the command's own namespace where there is one, as a plain process where not.
# On a leash, there is a pipe only the runner holds: a line asks to end the command, the end of the
# pipe means that the runner is gone. The pipe is standard input, or a named one for a command whose
# standard input is the runner's. Without a leash, only a TERM ends it.
#
# variables: SKEP_GUARD, this script; SKEP_COMMAND, the command line, where no words are given;
#            SKEP_VARIABLE_N, its variables as NAME=VALUE; SKEP_FILE_N, files to be written as its
#            user before it starts, a line with the path and then the text. They reach what runs as
#            the command's user only: a variable that changes how programs start must not change how
#            this one does, and a link that the user made must lead nowhere else than it could go,
#            while this may still have the runner's rights.
# arguments: mark, as NAME=VALUE; start folder, owner's uid or -, walled (1 or 0), leash (1, 0 or the
#            path of the named pipe), seconds between TERM and KILL, umask or -; and each with a count
#            before: the words of the command that drops privileges, the folders that stay visible,
#            the words of the program; paths to hide
unset SKEP_GUARD
mark=$1 start=$2 owner=$3 walled=$4 leash=$5 grace=$6 mask=$7
shift 7
drop=("${@:2:$1}")
shift $(($1 + 1))
kept=("${@:2:$1}")
shift $(($1 + 1))
words=("${@:2:$1}")
hidden=("${@:2+$1}")

# Its own names begin with SKEP_, which those of a command never do.
run='SKEP_START=$1
shift
for SKEP_EACH in "${!SKEP_FILE_@}"; do
    SKEP_TEXT=${!SKEP_EACH}
    SKEP_PATH=${SKEP_TEXT%%"
"*}
    mkdir -p -- "${SKEP_PATH%/*}" && printf %s "${SKEP_TEXT#*"
"}" >"$SKEP_PATH" || exit 125
    unset -v "$SKEP_EACH"
done
cd -- "$SKEP_START" || exit 126
if (($#)); then
    set -- "$1" "$@"
else
    set -- bash "$BASH" -c "$SKEP_COMMAND"
fi
unset -v SKEP_COMMAND SKEP_START SKEP_TEXT SKEP_PATH
for SKEP_EACH in "${!SKEP_VARIABLE_@}"; do
    export -- "${!SKEP_EACH}" || exit 125
    unset -v "$SKEP_EACH"
done
unset -v SKEP_EACH
exec -a "$1" -- "${@:2}"'

fail() {
    printf 'skep: the command was not run: %s\n' "$*" >&2
    exit 125
}

everybody() {
    ((walled)) && echo -1 || echo "-$child"
}

# A process that left the group is found by its mark. Again until none is found: one that forks may be
# between two looks.
kill_the_rest() {
    local round environ pid found
    # The kernel ends a namespace together with its process 1.
    ((walled)) && return
    for pid in "$child" $holder $timer; do
        kill -KILL -- "-$pid"
    done
    for round in 1 2 3 4 5; do
        found=0
        for environ in $(marked "$mark"); do
            pid=${environ//[!0-9]/}
            if [ "$pid" != $$ ] && kill -KILL "$pid"; then found=1; fi
        done
        ((found)) || break
    done
}

end_at_once() {
    local round
    trap '' TERM USR1
    kill -TERM -- "$(everybody)"
    for round in 1 2 3 4 5 6; do
        kill -0 -- "$(everybody)" || break
        sleep 0.05
    done
    kill_the_rest
    exit 137
}

end_in_time() {
    signalled=1
    kill -TERM -- "$(everybody)"
    if [ -z "$timer" ]; then
        { trap '' TERM; sleep "$grace"; kill -USR1 $$; } &
        timer=$!
    fi
}

# Reads what only the runner can write.
hold_leash() {
    trap '' TERM
    while read -r _; do
        kill -TERM $$
    done
    kill -USR1 $$
}

# Process 1 hears only what it has a handler for.
trap 'exit 143' TERM
case $leash in
/*)
    # Open for both at first: the runner may be gone already, and nobody else opens it.
    exec 8<>"$leash" 9<"$leash" 8<&- || fail "no leash in ${leash%/*}"
    rm -f "$leash"
    rmdir "${leash%/*}"
    ;;
*) exec 9<&0 </dev/null ;;
esac
if ((${#hidden[@]})); then
    scratch=$(mktemp -d) || fail "no folder in ${TMPDIR:-/tmp}"
    errors=$(hide_all 2>&1) || fail "$errors"
    rmdir "$scratch"/folder* "$scratch" 2>/dev/null
fi
if [ "$owner" != - ]; then
    # Else the command could not open /dev/stdout or /dev/stderr by name.
    chown "$owner" /dev/fd/1 /dev/fd/2
fi

[ "$mask" = - ] || umask "$mask"

# Job control puts the command into its own process group and leaves it able to receive INT.
set -m
trap 'signalled=1' INT
asked=0 signalled=0 holder= timer=
trap 'asked=1' TERM
"${drop[@]}" "$BASH" -c "$run" bash "$start" "${words[@]}" 9<&- &
child=$!
trap end_in_time TERM
trap end_at_once USR1
# Whoever reads the command's output must see it end with the command.
exec </dev/null >/dev/null 2>&1
if [ "$leash" != 0 ]; then
    hold_leash <&9 9<&- &
    holder=$!
fi
exec 9<&-
((asked)) && end_in_time
wait "$child"
status=$?
# A trap that interrupts wait just when the child ends makes bash 5.2 forget that it ended; another
# wait would last for ever. Its status is lost then: it is that of one that was told to end.
if ((signalled)); then
    while kill -0 "$child" 2>/dev/null; do
        sleep 0.02
    done
    case " $(jobs -rp | tr '\n' ' ') " in
        *" $child "*) status=143 ;;
        *) wait "$child" && status=0 || status=$? ;;
    esac
fi
kill_the_rest
exit "$status"
