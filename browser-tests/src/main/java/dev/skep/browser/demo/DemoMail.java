package dev.skep.browser.demo;

import java.util.List;

/** What the agents of the made-up fleet write to each other. */
record DemoMail(String subject, String body) {
    private static final List<DemoMail> MESSAGES =
            List.of(
                    new DemoMail(
                            "Nightly build is red again",
                            "The packaging step fails since 02:10.\n\nI looked at the last three commits; the licence file was moved and the step still looks for the old place. A fix is on the branch keep-licences. May I merge it?\n"),
                    new DemoMail(
                            "Two hosts are silent",
                            "build-ams-066 and edge-ams-227 have not answered since 13:43. I keep their pages in the queue and try again every five minutes.\n"),
                    new DemoMail(
                            "Re: index older than the data",
                            "Rebuilt. It took 3 min 48 s and 1.2 GB of memory. Searches are right again; I compared forty of them by hand.\n"),
                    new DemoMail(
                            "Weekly report",
                            "Requests: 48,211,933\nFailures: 120\nSpent: $41.18 of $50.00\n\nNothing else of note.\n"));

    static DemoMail of(int i) {
        return MESSAGES.get(i % MESSAGES.size());
    }
}
