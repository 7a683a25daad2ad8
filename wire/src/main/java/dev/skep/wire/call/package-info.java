/**
 * The calls of a host to its hub: typed, with their JSON written and read here for both ends. They
 * go over HTTP, or over a link as frames that carry what HTTP would.
 *
 * <pre>
 * {"type":"call","id":7,"path":"/api/agent/jobs/next?wait=20","body":{…}}
 * {"type":"answer","id":7,"status":200,"body":{…}}
 * </pre>
 */
@NullMarked
package dev.skep.wire.call;

import org.jspecify.annotations.NullMarked;
