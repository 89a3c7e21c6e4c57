/// The pipelines that `onebar init` can write, one a CI server.
enum InitPipelines {
    /// The servers, as `--ci` names them; the first unless said.
    static let names = ["github", "gitlab", "jenkins"]

    /// Path and text of the pipeline of a server; nil for an unknown one.
    static func file(for name: String) -> (path: String, text: String)? {
        switch name {
        case "github": (".github/workflows/onebar.yml", github)
        case "gitlab": (".gitlab/onebar.yml", gitlab)
        case "jenkins": ("Jenkinsfile.onebar", jenkins)
        default: nil
        }
    }

    static let github = """
        # Gates a change by what the app costs and breaks at one bar of signal.
        # The baseline is reports/baselines/mine.json: write it with 'onebar gate mine --update', commit it.
        name: onebar
        on: pull_request
        jobs:
          gate:
            runs-on: ubuntu-24.04
            container: swift:6.3-bookworm
            permissions:
              contents: read
            steps:
              - uses: actions/checkout@v4
              - run: apt-get update && apt-get install -y libsqlite3-dev libpcap-dev pkg-config
              - name: the tests on the simulated phone
                env:
                  SWIFT_DETERMINISTIC_HASHING: "1"
                run: swift test --filter OnebarLabTests
              - name: the gate
                run: swift run -c release onebar gate mine --jobs 2
              - uses: actions/upload-artifact@v4
                if: always()
                with:
                  name: onebar
                  path: reports/mine
          comment:
            needs: gate
            if: always()
            runs-on: ubuntu-24.04
            permissions:
              pull-requests: write
            steps:
              - uses: actions/download-artifact@v4
                with:
                  name: onebar
              - name: one comment that is kept up to date
                env:
                  GH_TOKEN: ${{ github.token }}
                  GH_REPO: ${{ github.repository }}
                run: gh pr comment ${{ github.event.number }} --edit-last --create-if-none -F summary.md

        """

    static let gitlab = """
        # Gates a merge request by what the app costs and breaks at one bar of signal.
        # Add to .gitlab-ci.yml:   include: [{ local: .gitlab/onebar.yml }]
        # The baseline is reports/baselines/mine.json: write it with 'onebar gate mine --update', commit it.
        onebar:
          image: swift:6.3-bookworm
          rules:
            - if: $CI_PIPELINE_SOURCE == "merge_request_event"
          variables:
            SWIFT_DETERMINISTIC_HASHING: "1"
          before_script:
            - apt-get update && apt-get install -y libsqlite3-dev libpcap-dev pkg-config
          script:
            - swift test --filter OnebarLabTests
            - swift run -c release onebar gate mine --jobs 2
          artifacts:
            when: always
            paths:
              - reports/mine
            reports:
              junit: reports/mine/junit.xml
              metrics: reports/mine/metrics.txt

        """

    static let jenkins = """
        // Gates a change by what the app costs and breaks at one bar of signal.
        // The baseline is reports/baselines/mine.json: write it with 'onebar gate mine --update', commit it.
        pipeline {
            agent { docker { image 'swift:6.3-bookworm'; args '-u root' } }
            environment { SWIFT_DETERMINISTIC_HASHING = '1' }
            stages {
                stage('onebar') {
                    steps {
                        sh 'apt-get update && apt-get install -y libsqlite3-dev libpcap-dev pkg-config'
                        sh 'swift test --filter OnebarLabTests'
                        sh 'swift run -c release onebar gate mine --jobs 2'
                    }
                }
            }
            post {
                always {
                    junit 'reports/mine/junit.xml'
                    archiveArtifacts 'reports/mine/**'
                }
            }
        }

        """
}
