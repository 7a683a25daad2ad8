# Answers one question about the repository in the folder it starts in. Runs as the agent, behind its
# wall, and believes nothing that the agent may have written but commits, files and names.
# variables: SKEP_ASK (changes, patch, work), SKEP_BASE (a commit, or empty for HEAD),
#            SKEP_LIMIT (bytes of one section)
# prints: sections, each a line "-- NAME" and then base64
export LC_ALL=C GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_ATTR_NOSYSTEM=1
export GIT_NO_REPLACE_OBJECTS=1 GIT_NO_LAZY_FETCH=1 GIT_OPTIONAL_LOCKS=0 GIT_PAGER=cat
export GIT_LITERAL_PATHSPECS=1 GIT_ALLOW_PROTOCOL=none GIT_TERMINAL_PROMPT=0
# These weigh more than the repository's own: another user may own it, and it starts no programs.
export GIT_CONFIG_COUNT=4
export GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'
export GIT_CONFIG_KEY_1=core.fsmonitor GIT_CONFIG_VALUE_1=false
export GIT_CONFIG_KEY_2=core.hooksPath GIT_CONFIG_VALUE_2=/dev/null
export GIT_CONFIG_KEY_3=core.alternateRefsCommand GIT_CONFIG_VALUE_3=true

scratch=$(mktemp -d) || exit 1
trap 'rm -rf -- "$scratch"' EXIT
exec 2>"$scratch/errors"

section() {
    printf -- '-- %s\n' "$1"
    head -c "$SKEP_LIMIT" | base64
    # So that what writes does not fail when it is cut.
    cat >/dev/null
}

fail() {
    printf '%s\n' "$1" | section problem
    tail -c 1000 "$scratch/errors" | section errors
    exit 1
}

# From here on git reads files and objects of the repository and nothing else of it.
aside() {
    local objects format
    objects=$(git rev-parse --path-format=absolute --git-path objects) || fail 'it cannot be read'
    format=$(git rev-parse --show-object-format) || fail 'it cannot be read'
    git init -q --bare --template= --object-format="$format" "$scratch/git" || fail 'no scratch'
    mkdir -p "$scratch/git/info"
    printf '%s\n' "$objects" >"$scratch/git/objects/info/alternates"
    printf '* !diff !filter !ident !working-tree-encoding\n' >"$scratch/git/info/attributes"
    export GIT_DIR=$scratch/git GIT_WORK_TREE=$top GIT_INDEX_FILE=$scratch/index
    git config core.bare false
    git config core.symlinks true
    cd -P -- "$top" || fail 'it cannot be entered'
    git read-tree "$head" || fail 'its commits are damaged'
    git add -A --ignore-errors . || printf 'some files could not be read' | section incomplete
    tree=$(git write-tree) || fail 'its files cannot be read'
}

differences() {
    git --no-pager diff --no-color --no-ext-diff --no-textconv -M "$@" "$base" "$tree"
}

top=$(git rev-parse --show-toplevel) || fail 'it is not a git repository'
head=$(git rev-parse -q --verify 'HEAD^{commit}') || fail 'it has no commit'
base=${SKEP_BASE:-$head}
git cat-file -e "$base^{commit}" || fail 'the commit it started from is gone'
git symbolic-ref -q --short HEAD | section branch
printf '%s' "$base" | section base

case $SKEP_ASK in
    changes)
        aside
        differences --raw -z | section raw
        differences --numstat -z | section numstat
        differences | section text
        ;;
    patch)
        aside
        differences --binary --full-index | section patch
        ;;
    work)
        # What only a reflog has was thrown away by whoever worked there.
        git rev-list --max-count=1000 --format=%s --all HEAD --not "$base" -- >"$scratch/commits" ||
            fail 'its commits are damaged'
        section commits <"$scratch/commits"
        base=$head
        aside
        differences --raw -z | section raw
        ;;
esac
printf done | section end
