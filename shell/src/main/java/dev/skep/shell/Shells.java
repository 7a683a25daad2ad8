package dev.skep.shell;

/** Opens shells; knows how well this machine can isolate them. */
public interface Shells {
    /** Makes a shell; the process starts with its first command. */
    Shell open(ShellSettings settings);

    /** Programs of agents, as the same users and behind the same walls as their shells. */
    Programs programs();

    /** One line for {@code doctor}: what an agent's shell is kept from, and what it is not. */
    String isolation();
}
