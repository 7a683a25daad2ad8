# Keeps one agent's bash running and outlives the runner by just long enough to end all of it.
# Runs as process 1 of the shell's own namespace where there is one, as a plain process where not.
# Standard input is a pipe only the runner holds: its end means that the runner is gone.
# What it shares with the guard of a command is in wall.sh, which stands before it.
#
# variables: SKEP_GUARD, this script; SKEP_TOKEN, which frames reports. The shell gets neither.
#            SKEP_VARIABLE_N, its variables as NAME=VALUE: only the shell gets them, since one that
#            changes how programs start must not change how this one does, which may still have the
#            runner's rights
# arguments: tag, scratch folder, start folder, owner's uid or -, walled (1 or 0), umask or -,
#            count and words of the command that drops privileges, paths to hide
token=$SKEP_TOKEN
unset SKEP_TOKEN SKEP_GUARD
tag=$1 scratch=$2 folder=$3 owner=$4 walled=$5 mask=$6
shift 6
drop=("${@:2:$1}")
hidden=("${@:2+$1}")
kept=("$folder")

fail() {
    printf '\036%s failed %s\036' "$token" "$*"
    exit 1
}

frame() {
    printf '\036%s %s\036' "$token" "$*"
}

# What the shell does before it reads its first line. A variable that bash does not let anyone set is
# left out.
begin='unset -v PROMPT_COMMAND
for SKEP_EACH in "${!SKEP_VARIABLE_@}"; do
    export -- "${!SKEP_EACH}"
    unset -v "$SKEP_EACH"
done
unset -v SKEP_EACH'

# Job control puts the shell into its own process group and leaves it able to receive INT.
start_shell() {
    PROMPT_COMMAND=$begin "${drop[@]}" "$BASH" --noprofile --norc --noediting -i <&7 7<&- 201>&1 2>/dev/null &
    shell=$!
    frame "shell $shell"
}

# Waits for the runner's end and says so by a signal: `wait -n` misses what ended before it began to
# wait, and a trap does not.
keep_watch() {
    while read -r _; do :; done
    kill -USR1 $$
}

# wait -n is newer than macOS's bash
wait_for_change() {
    if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 403)); then
        wait -n
        return
    fi
    while kill -0 "$keeper" && kill -0 "$shell"; do
        sleep 0.5
    done
    kill -0 "$shell" || wait "$shell"
}

end_everything() {
    local round environ pid found
    kill -HUP "$shell"
    if ((walled)); then
        kill -TERM -- -1
    else
        kill -TERM -- "-$shell"
    fi
    for round in 1 2 3 4 5 6; do
        kill -0 -- "$( ((walled)) && echo -1 || echo "-$shell")" || break
        read -r -t 0.05 -u 8
    done
    # The kernel ends a namespace together with its process 1.
    ((walled)) && exit 0
    kill -KILL -- "-$shell"
    # Again until none is found: one that forks may be between two looks.
    for round in 1 2 3 4 5; do
        found=0
        for environ in $(marked "SKEP_SHELL=$tag"); do
            pid=${environ//[!0-9]/}
            if [ "$pid" != $$ ] && kill -KILL "$pid"; then found=1; fi
        done
        ((found)) || break
    done
    exit 0
}

set -m
# Without a session of its own the guard hears the terminal's INT; a handler, unlike ignoring it, is
# not passed on to the shell.
trap : INT
mkfifo -m 600 "$scratch/control" "$scratch/input" || fail "mkfifo in $scratch"
exec 7<>"$scratch/control" 8<>"$scratch/input"
frame opened
# From here on both ends are open and nobody needs the names.
if ! read -r _; then
    rm -f "$scratch/control" "$scratch/input"
    rmdir "$scratch"
    exit 0
fi

if ((${#hidden[@]})); then
    errors=$(hide_all 2>&1) || fail "$errors"
fi
if [ "$owner" != - ]; then
    # Else the agent could not open /dev/stdout or /dev/stderr by name.
    chown "$owner" /dev/fd/1 /dev/fd/8
fi
cd "$folder" || fail "cd $folder"
[ "$mask" = - ] || umask "$mask"
exec 2>/dev/null

trap end_everything USR1
keep_watch 7<&- 8<&- &
keeper=$!
start_shell
while :; do
    wait_for_change
    status=$?
    kill -0 "$keeper" || end_everything
    if ! kill -0 "$shell"; then
        frame "ended $status"
        start_shell
    fi
done
