# What the guards of shells and of commands share.
# variables: hidden, the paths to hide; folder, which stays even inside one of them; scratch, a
#            folder of the guard's own

# What is hidden shows as an empty folder or file. (-n: an ordinary user may not write the list of
# mounts that mount keeps.)
hide() {
    if [ -d "$1" ]; then
        mount -n -t tmpfs -o size=64k,mode=755,nosuid,nodev skep "$1"
    elif [ -e "$1" ]; then
        mount -n --bind /dev/null "$1"
    fi
}

# The folder may lie inside a hidden one: it is put aside and comes back at its own path. What
# is hidden inside the folder is hidden after that.
hide_all() {
    local path outer=() inner=() inside=0
    for path in "${hidden[@]}"; do
        case $path in "$folder"/*) inner+=("$path") ;; *) outer+=("$path") ;; esac
        case $folder/ in "${path%/}"/*) inside=1 ;; esac
    done
    if ((inside)); then
        mkdir "$scratch/folder" && mount -n --bind "$folder" "$scratch/folder" || return 1
    fi
    for path in "${outer[@]}"; do
        hide "$path" || return 1
    done
    if ((inside)); then
        mkdir -p "$folder" && mount -n --move "$scratch/folder" "$folder" || return 1
    fi
    for path in "${inner[@]}"; do
        hide "$path" || return 1
    done
    for path in "${hidden[@]}"; do
        if [ -d "$path" ]; then
            mount -n -o remount,ro "$path" || return 1
        fi
    done
}

# The processes that have this variable in their environment.
marked() {
    grep -lszxF -e "$1" /proc/[0-9]*/environ
}
