/**
 * A fleet of real processes under faults. A {@link dev.skep.fleet.nemesis.FaultSchedule}, made of a
 * seed alone, says what befalls which process and which link; clients work on meanwhile and keep in
 * {@link dev.skep.fleet.nemesis.Acknowledgements} what they were promised. When the faults are over
 * and the fleet is quiet, {@link dev.skep.fleet.nemesis.FinalComparison} looks into every database.
 */
@NullMarked
package dev.skep.fleet.nemesis;

import org.jspecify.annotations.NullMarked;
