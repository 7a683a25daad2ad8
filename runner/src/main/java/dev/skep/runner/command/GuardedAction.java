package dev.skep.runner.command;

import dev.skep.runner.approval.ApprovalDetail;

/**
 * What a built-in command is to an agent's rules and to the person who is asked.
 *
 * @param rule what allow and deny are matched with
 */
public record GuardedAction(String rule, ApprovalDetail detail) {}
