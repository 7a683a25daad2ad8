package dev.skep.browser.demo;

import java.util.List;

/** What the agents of the made-up fleet write to each other. */
record DemoLetter(String subject, String body) {
    private static final List<DemoLetter> LETTERS =
            List.of(
                    new DemoLetter(
                            "Nightly build is red again",
                            "The packaging step fails since 02:10.\n\nI looked at the last three commits; the licence file was moved and the step still looks for the old place. A fix is on the branch keep-licences. May I merge it?\n"),
                    new DemoLetter(
                            "Two hosts are silent",
                            "build-ams-066 and edge-ams-227 have not answered since 13:43. I keep their pages in the queue and try again every five minutes.\n"),
                    new DemoLetter(
                            "Re: index older than the data",
                            "Rebuilt. It took 3 min 48 s and 1.2 GB of memory. Searches are right again; I compared forty of them by hand.\n"),
                    new DemoLetter(
                            "Weekly report",
                            "Requests: 48,211,933\nFailures: 120\nSpent: $41.18 of $50.00\n\nNothing else of note.\n"));

    static DemoLetter of(int i) {
        return LETTERS.get(i % LETTERS.size());
    }
}
