/**
 * Calls over a link: a host makes the calls that it could make over HTTP, with the same answers, on
 * the socket that is already open. Both ends are protocols of the link.
 *
 * <pre>
 * {"type":"call","id":7,"path":"/api/agent/jobs/next?wait=20","body":{…}}
 * {"type":"answer","id":7,"status":200,"body":{…}}
 * </pre>
 */
@NullMarked
package dev.skep.transport.call;

import org.jspecify.annotations.NullMarked;
