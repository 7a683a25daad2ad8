# What the guards of shells and of commands share.
# variables: hidden, the paths to hide; kept, the folders that stay even inside one of them; scratch,
#            a folder of the guard's own

# What is hidden shows as an empty folder or file. (-n: an ordinary user may not write the list of
# mounts that mount keeps.)
hide() {
    if [ -d "$1" ]; then
        mount -n -t tmpfs -o size=64k,mode=755,nosuid,nodev skep "$1"
    elif [ -e "$1" ]; then
        mount -n --bind /dev/null "$1"
    fi
}

# A folder that stays may lie inside a hidden one: it is put aside and comes back at its own path.
# What is hidden inside such a folder is hidden after that.
hide_all() {
    local path each place outer=() inner=() inside=() aside=()
    for path in "${hidden[@]}"; do
        place=outer
        for each in "${kept[@]}"; do
            case $path in "$each"/*) place=inner ;; esac
        done
        if [ $place = inner ]; then inner+=("$path"); else outer+=("$path"); fi
    done
    for each in "${kept[@]}"; do
        for path in "${outer[@]}"; do
            case $each/ in "${path%/}"/*)
                place=$scratch/folder${#inside[@]}
                mkdir "$place" && mount -n --bind "$each" "$place" || return 1
                inside+=("$each")
                aside+=("$place")
                break
                ;;
            esac
        done
    done
    for path in "${outer[@]}"; do
        hide "$path" || return 1
    done
    for ((place = 0; place < ${#inside[@]}; place++)); do
        mkdir -p "${inside[place]}" && mount -n --move "${aside[place]}" "${inside[place]}" || return 1
    done
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
