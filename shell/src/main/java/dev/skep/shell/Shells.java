package dev.skep.shell;

/** Opens shells; knows how well this machine can isolate them. */
public interface Shells {
    /** Makes a shell; the process starts with its first command. */
    Shell open(ShellSettings settings);

    /** One line for {@code doctor}: what an agent's shell is kept from, and what it is not. */
    String isolation();
}
