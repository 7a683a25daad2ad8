/**
 * Calls over a link: a host asks what it could ask over HTTP, with the same answers, on the socket
 * it has open anyway. Both ends are a kind of traffic of the link.
 *
 * <pre>
 * {"type":"call","id":7,"path":"/api/agent/jobs/next?wait=20","body":{…}}
 * {"type":"answer","id":7,"status":200,"body":{…}}
 * </pre>
 */
@NullMarked
package dev.skep.transport.call;

import org.jspecify.annotations.NullMarked;
